import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { rollup } from 'rollup';
import { dts } from 'rollup-plugin-dts';

/**
 * Bundles the declarations of each export of the package into one file that imports no package but Fastify. `dir` has
 * those of the compiler. CommonJS, which may `require` an ES module, needs a copy named `.d.cts`.
 */
export async function bundleDeclarations(/** @type {string} */ dir) {
  for (const name of ['index', 'client']) {
    const bundle = await rollup({
      input: join(dir, `${name}.d.ts`),
      external: ['fastify', /^node:/],
      plugins: [dts({ respectExternal: true })],
    });
    await bundle.write({ file: `dist/${name}.d.ts` });
    copyFileSync(`dist/${name}.d.ts`, `dist/${name}.d.cts`);
  }
}
