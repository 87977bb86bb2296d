// Asks the registry for advisories on what dist/sbom.cdx.json says the package contains: `npm audit` cannot tell these from
// the packages that only tests and builds need. Exits with 1 if any is known.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const sbom = fileURLToPath(new URL('../dist/sbom.cdx.json', import.meta.url));
const registry = process.env.npm_config_registry ?? 'https://registry.npmjs.org/';
/** @type {{ name: string, version: string }[]} */
const components = JSON.parse(readFileSync(sbom, 'utf8')).components;
const versionsOf = (/** @type {string} */ asked) =>
  components.filter(({ name }) => name === asked).map(({ version }) => version);

const response = await fetch(new URL('-/npm/v1/security/advisories/bulk', registry), {
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(Object.fromEntries(components.map(({ name }) => [name, versionsOf(name)]))),
});
if (!response.ok) throw new Error(`${registry} answered ${response.status}`);
const advisories =
  /** @type {Record<string, { severity: string, title: string, url: string, vulnerable_versions: string }[]>} */ (
    await response.json()
  );
for (const [name, list] of Object.entries(advisories))
  for (const { severity, title, url, vulnerable_versions } of list)
    console.log(`${name} ${versionsOf(name)} (${vulnerable_versions}): ${severity}: ${title}: ${url}`);
const found = Object.values(advisories).flat().length;
console.log(`${found} advisories on ${components.length} bundled packages`);
if (found > 0) process.exitCode = 1;
