// SPDX-License-Identifier: Apache-2.0
// One knob, turned on the admin page in Chromium: its effect must show in the charts. Started by
// test_day.py with the variables of page.test.mjs.
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';

const { chromium } = createRequire(process.env.SLUICE_NODE + '/')('playwright-core');
const patience = 30_000 * Number(process.env.SLUICE_TEST_PATIENCE || 1);

const browser = await chromium.launch({ executablePath: process.env.SLUICE_CHROMIUM, args: ['--no-sandbox'] });
try {
  const page = await browser.newPage({ viewport: { width: 1280, height: 860 } });
  page.setDefaultTimeout(patience);
  await page.goto(process.env.SLUICE_URL);
  await page.getByLabel('Every').selectOption('500');
  const route = page.locator('[data-route="market"]');
  await route.locator('[data-chart="messages"] path.s0[d^="M"]').waitFor({ state: 'attached' });
  await page.getByLabel('Token').fill(process.env.SLUICE_TOKEN);
  await page.getByRole('button', { name: 'Unlock' }).click();
  const knob = route.getByLabel('coalesce_delay', { exact: true });
  await knob.fill('5ms');
  await knob.press('Enter');
  await route.locator('[data-key="route.market.coalesce_delay"] .said').getByText('in force').waitFor();
  await route.getByText('route.market.coalesce_delay: 0 → 5 ms').waitFor();
  const marks = route.locator('[data-chart="calls"] path.mark');
  await marks.first().waitFor({ state: 'attached' });
  assert.ok(await marks.count() >= 1);
  // What has come in the meantime has waited for up to 5 ms, and the chart shows it.
  const held = /p99 ([5-9]|\d\d+)(\.\d+)? ms/;
  await route.locator('[data-chart="latency"]').getByRole('img', { name: held }).waitFor();
  const line = route.locator('[data-chart="messages"] path.s0'), end = Date.now() + patience;
  while ((await line.getAttribute('d')).split('L').length < 12) {
    assert.ok(Date.now() < end, 'a picture with some figures in it');
    await new Promise(resolve => setTimeout(resolve, 50));
  }
  await page.screenshot({ path: `${process.env.SLUICE_SHOTS}/day.png`, fullPage: true });
} finally {
  await browser.close();
}
