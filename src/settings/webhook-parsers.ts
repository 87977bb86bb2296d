import type { SettingParser } from './parsers.ts';

/** Where webhooks go; empty for none. No message repeats it, since its path can be a secret. */
export const webhookUrl: SettingParser<string> = {
  parse: value => (value === '' || isWebhookUrl(value) ? value : undefined),
  expected: 'a URL such as https://example.com/purge, without user and password',
  explain: () => `expected ${webhookUrl.expected}`,
  placeholder: 'URL',
};

/** A secret of Standard Webhooks; empty for none. No message repeats it. */
export const webhookSecret: SettingParser<string> = {
  parse: value => (value === '' || isSecret(value) ? value : undefined),
  expected: 'whsec_ and the Base64 of 24 to 64 bytes, as from: echo "whsec_$(openssl rand -base64 32)"',
  explain: () => `expected ${webhookSecret.expected}`,
  placeholder: 'SECRET',
};

function isWebhookUrl(value: string): boolean {
  if (!URL.canParse(value)) return false;
  const { protocol, username, password, hash } = new URL(value);
  return /^https?:$/.test(protocol) && username === '' && password === '' && hash === '';
}

function isSecret(value: string): boolean {
  const [, base64 = ''] =
    /^whsec_((?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?)$/.exec(value) ?? [];
  const { length } = Buffer.from(base64, 'base64');
  return length >= 24 && length <= 64;
}
