import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { writeFiles } from './catalogs.ts';
import { execute } from './package.ts';

/** Makes a private CA and its certificate for 127.0.0.1 with openssl. Returns the paths of the files. */
export async function makeCertificates(t: TestContext) {
  const dir = await writeFiles(t, {});
  const [ca, caKey] = [join(dir, 'ca.pem'), join(dir, 'ca.key')];
  const [certificate, key] = [join(dir, 'redis.pem'), join(dir, 'redis.key')];
  const make = (out: string, keyOut: string, ...options: string[]) =>
    execute('openssl', [
      ...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes'],
      ...['-out', out, '-keyout', keyOut, ...options],
    ]);
  await make(ca, caKey, '-subj', '/CN=Private CA');
  await make(
    ...([certificate, key, '-CA', ca, '-CAkey', caKey, '-subj', '/CN=redis'] as const),
    ...['-addext', 'subjectAltName=IP:127.0.0.1', '-addext', 'basicConstraints=critical,CA:FALSE'],
  );
  return { ca, certificate, key };
}
