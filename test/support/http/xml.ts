import { SaxesParser } from 'saxes';

/** An element of an XML document, with its own text and that of all that is in it. */
export interface Element {
  name: string;
  /** Its namespace; empty where it has none. */
  uri: string;
  attributes: Record<string, string>;
  text: string;
  children: Element[];
}

/** The root of a document. @throws Error where it is not well-formed, or has a character that XML does not allow. */
export function parseXml(document: string): Element {
  const outside: Element = { name: '', uri: '', attributes: {}, text: '', children: [] };
  const open = [outside];
  const parser = new SaxesParser({ xmlns: true });
  parser.on('error', error => {
    throw error;
  });
  parser.on('text', text => {
    for (const element of open) element.text += text;
  });
  parser.on('opentag', ({ name, uri, attributes }) => {
    const values = Object.values(attributes).map(attribute => [attribute.name, attribute.value]);
    const element = { name, uri, attributes: Object.fromEntries(values), text: '', children: [] };
    open.at(-1)?.children.push(element);
    open.push(element);
  });
  parser.on('closetag', () => void open.pop());
  parser.write(document).close();
  const [root] = outside.children;
  if (!root) throw new Error('there is no element');
  return root;
}

/** The children of an element that have this name. */
export function childrenOf({ children }: Element, name: string): Element[] {
  return children.filter(child => child.name === name);
}
