import type { IsHidden } from './error-handler.ts';
import { routedPath } from './headers.ts';
import { PREVIEW_PREFIX, tokenCheck } from './preview.ts';

/** The path of the history, relative to the mount point of the service. */
export const HISTORY_PATH = '/history';
/** The path of checks. */
export const CHECK_PATH = '/check';

/**
 * Hides previews, history and checks from clients without the token, so that wrong methods and metrics do not disclose them.
 * Only the header lets a client change something: a browser sends the cookie for any page, and pages of other origins cannot
 * send the header, since no preflight allows it. An empty token means that there is none of them. `mount` is the mount point
 * of the service.
 */
export function hiddenWithoutToken(previewToken: string, mount: string): IsHidden {
  if (previewToken === '') return () => false;
  const [hasToken, hasBearer] = [tokenCheck(previewToken), tokenCheck(previewToken, true)];
  const preview = mount + PREVIEW_PREFIX;
  const control = [HISTORY_PATH, CHECK_PATH].map(path => mount + path);
  return ({ method, url, headers, routeOptions }) => {
    const path = routeOptions.url ?? routedPath(url);
    if (isBelow(path, preview)) return !hasToken(headers);
    const isRead = method === 'GET' || method === 'HEAD';
    return control.some(root => isBelow(path, root)) && !(isRead ? hasToken : hasBearer)(headers);
  };
}

/** Whether a path or the pattern of a route is that of a root, or below it. */
function isBelow(path: string, root: string): boolean {
  const parts = path.split('/');
  return root.split('/').every((part, index) => part.startsWith(':') || part === parts[index]);
}
