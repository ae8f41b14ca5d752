// SPDX-License-Identifier: Apache-2.0
// The admin page in a real Chromium. Started by test_page.py, which runs the sidecar:
//   SLUICE_URL, SLUICE_TOKEN, SLUICE_SHOTS (a folder), SLUICE_NODE (where node_modules is),
//   SLUICE_CHROMIUM, SLUICE_TEST_PATIENCE
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { after, before, beforeEach, describe, it } from 'node:test';

const { chromium } = createRequire(process.env.SLUICE_NODE + '/')('playwright-core');
const url = process.env.SLUICE_URL, token = process.env.SLUICE_TOKEN, shots = process.env.SLUICE_SHOTS;
const patience = 30_000 * Number(process.env.SLUICE_TEST_PATIENCE || 1);

let browser, page, complaints, asked;

async function open(options = {}) {
  const made = await browser.newPage({ viewport: { width: 1280, height: 860 }, ...options });
  made.setDefaultTimeout(patience);
  made.on('console', message => { if (['error', 'warning'].includes(message.type())) complaints.push(message.text()); });
  made.on('pageerror', error => complaints.push(String(error)));
  made.on('request', request => asked.push(request.url()));
  await made.goto(url);
  await made.getByLabel('Every').selectOption('500');
  await made.locator('[data-route="market"] [data-chart="messages"] path.s0[d^="M"]').waitFor({ state: 'attached' });
  return made;
}
async function unlock() {
  await page.getByLabel('Token').fill(token);
  await page.getByRole('button', { name: 'Unlock' }).click();
}
async function eventually(condition, what) {
  const end = Date.now() + patience;
  for (let last; ; await new Promise(resolve => setTimeout(resolve, 50))) {
    last = await condition();
    if (last) return last;
    assert.ok(Date.now() < end, `did not happen in time: ${what}, last: ${last}`);
  }
}
const route = name => page.locator(`[data-route="${name}"]`);
const chart = (id, name = 'market') => route(name).locator(`[data-chart="${id}"]`);
/** The nth figure above a chart, as a number; NaN where there is none. */
async function figure(id, n = 0) {
  const text = await chart(id).locator('.now b').nth(n).textContent();
  const match = /^([\d.e-]+)\s*(k|M|ns|µs|ms|s|%)?/.exec(text);
  return match ? Number(match[1]) * ({ k: 1e3, M: 1e6, ms: 1e-3, 'µs': 1e-6, ns: 1e-9, '%': 0.01 }[match[2]] || 1) : NaN;
}
/** Waits until so many figures are drawn. */
async function drawn(id, count) {
  const points = async () => ((await chart(id).locator('path.s0').getAttribute('d')) || '').split(/[ML]/).length - 1;
  await eventually(async () => await points() >= count, `${count} figures of ${id}`);
}
async function post(path, body) {
  const answer = await fetch(url + 'api/v1/' + path, {
    method: 'POST', body: JSON.stringify(body),
    headers: { 'Content-Type': 'application/json', Authorization: 'Bearer ' + token },
  });
  assert.equal(answer.status, 200, await answer.text());
}

describe('the page', { timeout: patience * 6 }, () => {
  before(async () => {
    browser = await chromium.launch({ executablePath: process.env.SLUICE_CHROMIUM, args: ['--no-sandbox'] });
  });
  after(async () => { await browser?.close(); });
  beforeEach(async t => {
    complaints = []; asked = [];
    await post('resume', {});
    await post('settings', { key: 'route.market.coalesce_delay', value: '0' });
    await page?.close();
    page = await open();
  });

  it('asks nobody but its own server, and says nothing on the console', async () => {
    await eventually(async () => await figure('messages') > 0, 'messages flow');
    assert.ok(asked.length > 3);
    for (const address of asked) assert.ok(address.startsWith(url) || address.startsWith('data:'), address);
    assert.deepEqual(complaints, []);
  });

  it('shows what flows, route by route', async () => {
    await eventually(async () => await figure('messages', 1) > 0, 'messages out');
    await eventually(async () => await figure('calls') > 0, 'system calls');
    await eventually(async () => await figure('cpu') > 0, 'CPU');
    await eventually(async () => await figure('latency') > 0, 'latency');
    assert.equal(await figure('peers'), 1);
    const delivered = route('market').getByRole('row', { name: 'edge' }).locator('td').nth(4);
    await eventually(async () => {
      const text = await delivered.textContent(), out = await figure('messages', 1);
      const rate = parseFloat(text) * (text.endsWith('k') ? 1000 : 1);
      return rate > out * 0.7 && rate < out * 1.3;
    }, 'one subscriber gets what goes out');
    assert.equal(await route('old').getByText('libzmq does not tell').count(), 2);
    assert.equal(await route('market').locator('.state').textContent(), 'running');
    assert.match(await page.title(), /\/s · Sluice$/);
  });

  it('is read only until a right token is given', async () => {
    const pause = page.getByRole('button', { name: 'Pause route market' });
    assert.ok(await pause.isDisabled());
    assert.ok(await page.getByLabel('coalesce_delay', { exact: true }).first().isDisabled());
    await page.getByLabel('Token').fill('certainly-a-wrong-token');
    await page.getByRole('button', { name: 'Unlock' }).click();
    await pause.click();
    await route('market').getByText('this token is not right').waitFor();
    assert.ok(await pause.isDisabled());
    await unlock();
    await page.getByRole('button', { name: 'Lock', exact: true }).click();
    assert.ok(await pause.isDisabled());
    complaints = [];
  });

  it('turns a knob and shows its effect in the same picture', async () => {
    await unlock();
    const before = await eventually(async () => await figure('calls') > 1 && await figure('calls'), 'a call or more a message');
    const knob = route('market').getByLabel('coalesce_delay', { exact: true });
    await knob.fill('50ms');
    await knob.press('Enter');
    await route('market').locator('[data-key="route.market.coalesce_delay"] .said').getByText('in force').waitFor();
    await eventually(async () => await figure('calls') < before / 2, 'fewer calls a message');
    await eventually(async () => await figure('latency', 1) > 0.02, 'and more latency');
    await route('market').getByText('route.market.coalesce_delay: 0 → 50 ms').waitFor();
    assert.ok(await chart('calls').locator('path.mark').count() >= 1);
    assert.ok(await chart('latency').locator('path.mark').count() >= 1);
    await drawn('messages', 16);
    await page.screenshot({ path: `${shots}/light.png`, fullPage: true });
    assert.deepEqual(complaints, []);
  });

  it('moves a knob by its slider from the keyboard', async () => {
    await unlock();
    const slider = route('market').getByLabel('coalesce_delay in steps');
    await slider.focus();
    await page.keyboard.press('ArrowRight');
    await route('market').getByText('route.market.coalesce_delay: 0 → 10 µs').waitFor();
    assert.equal(await slider.getAttribute('aria-valuetext'), '10us');
  });

  it('says why a value is refused', async () => {
    await unlock();
    const knob = route('market').getByLabel('coalesce_delay', { exact: true });
    await knob.fill('3 days');
    await knob.press('Enter');
    await route('market').locator('[data-key="route.market.coalesce_delay"] .said.no').getByText('coalesce_delay').waitFor();
    assert.equal(await knob.getAttribute('aria-invalid'), 'true');
    complaints = [];
  });

  it('pauses and resumes from the keyboard', async () => {
    await unlock();
    await page.getByRole('button', { name: 'Pause route market' }).focus();
    await page.keyboard.press('Enter');
    await route('market').locator('.state').getByText('paused').waitFor();
    await eventually(async () => await figure('messages', 1) === 0, 'nothing flows');
    await page.getByRole('button', { name: 'Resume route market' }).focus();
    await page.keyboard.press('Space');
    await route('market').locator('.state').getByText('running').waitFor();
    await eventually(async () => await figure('messages', 1) > 0, 'it flows again');
  });

  it('marks what others change', async () => {
    await eventually(async () => await figure('messages') > 0, 'a first look');
    await post('settings', { key: 'route.market.inbound_poll_rate', value: 500 });
    await route('market').getByText('route.market.inbound_poll_rate: 1k → 500').waitFor();
    assert.equal(await route('market').getByLabel('inbound_poll_rate', { exact: true }).inputValue(), '500');
    await post('settings', { key: 'route.market.inbound_poll_rate', value: 1000 });
  });

  it('says when there is no answer, and goes on when there is', async () => {
    await page.route('**/metrics', request => request.abort());
    await page.getByRole('alert').getByText('No answer since').waitFor();
    await page.unroute('**/metrics');
    await page.getByRole('alert').waitFor({ state: 'hidden' });
    complaints = [];
  });

  it('names everything for those who do not see it', async () => {
    assert.equal(await page.getByRole('heading', { level: 1 }).textContent(), 'Sluice');
    assert.equal(await page.locator('html').getAttribute('lang'), 'en');
    const unnamed = await page.evaluate(() => [...document.querySelectorAll('input, select, button')]
      .filter(e => !e.labels?.length && !e.getAttribute('aria-label') && !e.textContent.trim()).map(e => e.outerHTML));
    assert.deepEqual(unnamed, []);
    const ids = await page.evaluate(() => [...document.querySelectorAll('[id]')].map(e => e.id));
    assert.equal(new Set(ids).size, ids.length);
    await eventually(async () => /Messages per second: in [\d.]/.test(await chart('messages').getByRole('img').getAttribute('aria-label')), 'a chart in words');
    assert.equal(await page.locator('svg:not([role="img"])').count(), 0);
    await page.keyboard.press('Tab');
    assert.equal(await page.evaluate(() => document.activeElement.textContent), 'Skip to the routes');
  });

  it('can be read in light and dark, wide and narrow', async () => {
    for (const colorScheme of ['light', 'dark']) {
      await page.close();
      page = await open({ colorScheme });
      await eventually(async () => await figure('messages') > 0, 'messages');
      const contrasts = await page.evaluate(() => {
        const style = getComputedStyle(document.documentElement);
        const light = name => {
          const n = parseInt(style.getPropertyValue(name).trim().slice(1), 16);
          const [r, g, b] = [n >> 16, n >> 8 & 255, n & 255].map(v => v / 255).map(v => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
          return 0.2126 * r + 0.7152 * g + 0.0722 * b;
        };
        const made = {};
        for (const ground of ['--bg', '--panel']) {
          for (const ink of ['--ink', '--soft', '--a', '--b', '--c', '--bad', '--warn', '--good']) {
            const [high, low] = [light(ground), light(ink)].sort((x, y) => y - x);
            made[ink + ' on ' + ground] = (high + 0.05) / (low + 0.05);
          }
        }
        return made;
      });
      for (const [pair, ratio] of Object.entries(contrasts)) assert.ok(ratio >= 4.5, `${colorScheme}: ${pair}: ${ratio.toFixed(2)}`);
    }
    await drawn('messages', 10);
    await page.screenshot({ path: `${shots}/dark.png`, fullPage: true });
    await page.setViewportSize({ width: 390, height: 844 });
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth));
    await page.screenshot({ path: `${shots}/narrow.png`, fullPage: true });
  });

  it('lists every setting', async () => {
    await page.getByText('All settings in force').click();
    await page.getByLabel('Show those with').fill('source.feed.recv_hwm');
    assert.equal(await page.locator('#rows tr').count(), 1);
    assert.match(await page.locator('#rows tr').textContent(), /source\.feed\.recv_hwm/);
  });
});
