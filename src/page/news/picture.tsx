import { useState } from 'preact/hooks';
import { pathAt, preview } from '../state/preview.ts';

/** The image of a news item; nothing if it does not load. */
export function Picture({ name }: { name: string }) {
  const [failed, setFailed] = useState<string>();
  if (failed === name) return null;
  const address = pathAt(preview.value, `images/${encodeURIComponent(name)}`);
  return <img alt="" loading="lazy" src={address} onError={() => setFailed(name)} />;
}
