import { overview } from '../state/served.ts';
import { texts } from '../texts.ts';

/** Links to what is not on the page, and the version of Vitrine. */
export function Footer() {
  const { feeds = [], version = '' } = overview.value ?? {};
  return (
    <footer>
      <nav aria-label={texts.more}>
        <a href="documentation">{texts.documentation}</a>
        <a href="health">{texts.health}</a>
        {feeds.map(path => (
          <a key={path} href={path}>
            {texts.feed(String(path.split('.').at(-1)))}
          </a>
        ))}
      </nav>
      <p>Vitrine {version}</p>
    </footer>
  );
}
