// Receives the webhooks of Vitrine and drops what they name from Varnish. Run it after `npm install standardwebhooks`:
//
//   WEBHOOK_SECRET=whsec_… PURGE_TOKEN=… node purge.mjs
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { Webhook } from 'standardwebhooks';

const {
  WEBHOOK_SECRET = '',
  PURGE_TOKEN = '',
  VARNISH = 'http://127.0.0.1:6081',
  PORT = '3001',
} = process.env;
const webhook = new Webhook(WEBHOOK_SECRET);

/**
 * Makes Varnish drop all answers that have one of these tags.
 * @param {string[]} tags
 */
async function ban(tags) {
  const headers = { authorization: `Bearer ${PURGE_TOKEN}`, 'ban-tags': tags.join('|') };
  const { ok, status } = await fetch(VARNISH, { method: 'BAN', headers });
  if (!ok) throw new Error(`Varnish answered ${status}`);
}

createServer(async (request, response) => {
  const body = await text(request);
  /** @type {string[]} */
  let tags;
  try {
    // Throws if the signature is wrong or the webhook is older than five minutes.
    const payload = webhook.verify(body, /** @type {Record<string, string>} */ (request.headers));
    tags = /** @type {{ data: { tags: string[] } }} */ (payload).data.tags;
  } catch {
    response.writeHead(401).end();
    return;
  }
  try {
    if (tags.length > 0) await ban(tags);
    response.writeHead(204).end();
    // An answer from before the change may have been on its way, and stored after the first ban.
    if (tags.length > 0) setTimeout(() => ban(tags).catch(console.error), 500);
  } catch (error) {
    console.error(error);
    response.writeHead(502).end(); // Vitrine sends it again.
  }
}).listen(Number(PORT), '127.0.0.1', () => console.log(`listening on ${PORT}`));
