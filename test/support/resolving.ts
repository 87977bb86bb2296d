/**
 * The environment of a process that resolves a package by this JavaScript: a statement, in which `next` and `context` are
 * those of Node's hook `resolve`.
 */
export function resolving(name: string, statement: string): { NODE_OPTIONS: string } {
  const hook = `export const resolve = (name, context, next) => {
    if (name === '${name}') ${statement};
    return next(name, context);
  }`;
  const dataUrl = (code: string) => `data:text/javascript,${encodeURIComponent(code)}`;
  const register = `import { register } from 'node:module'; register(${JSON.stringify(dataUrl(hook))})`;
  return { NODE_OPTIONS: `--import=${dataUrl(register)}` };
}
