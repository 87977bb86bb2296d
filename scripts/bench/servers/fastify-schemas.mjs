// Response schemas of the plain Fastify server, from which Fastify compiles its serializers.
const integer = { type: 'integer' };
const number = { type: 'number' };
const string = { type: 'string' };

/** @param {Record<string, object>} properties */
const object = properties => ({ type: 'object', properties });
/** @param {object} data */
const envelope = data => ({
  200: object({ success: { type: 'boolean' }, code: integer, message: string, data }),
});
/** @param {object} items */
const list = items =>
  envelope(
    object({
      list: { type: 'array', items },
      pagination: object({ current_page: integer, total: integer }),
    }),
  );

const ids = { id: integer, product_id: integer };
export const price = envelope(
  object({ ...ids, rel_id: integer, duration_id: integer, price: number, rel_type: integer }),
);

const duration = object({ duration_id: integer, name: string, num: integer, unit: string, price: number });
const durations = { type: 'array', items: duration };
export const configurations = list(object({ ...ids, name: string, cpu: number, memory: number, durations }));

const texts = { id: integer, title: string, content: string, keywords: string };
const created = { create_time_formatted: string };
export const newsList = list(
  object({ ...texts, read: integer, create_time: integer, ...created, update_time_formatted: string }),
);
export const newsItem = envelope(object({ ...texts, img: string, read: integer, ...created }));
