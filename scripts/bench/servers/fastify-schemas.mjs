// The response schemas of the plain Fastify server, from which Fastify makes its serializers.
const integer = { type: 'integer' };
const number = { type: 'number' };
const string = { type: 'string' };

/** @param {Record<string, object>} properties */
const object = properties => ({ type: 'object', properties });

/** @param {object} data */
const envelope = data => ({
  200: object({ success: { type: 'boolean' }, code: integer, message: string, data }),
});

/** @param {object} item */
const list = item =>
  envelope(
    object({
      list: { type: 'array', items: item },
      pagination: object({ current_page: integer, total: integer }),
    }),
  );

export const price = envelope(
  object({
    id: integer,
    product_id: integer,
    rel_id: integer,
    duration_id: integer,
    price: number,
    rel_type: integer,
  }),
);

export const configurations = list(
  object({
    id: integer,
    product_id: integer,
    name: string,
    cpu: number,
    memory: number,
    durations: {
      type: 'array',
      items: object({ duration_id: integer, name: string, num: integer, unit: string, price: number }),
    },
  }),
);

export const newsList = list(
  object({
    id: integer,
    title: string,
    content: string,
    keywords: string,
    read: integer,
    create_time: integer,
    create_time_formatted: string,
    update_time_formatted: string,
  }),
);

export const newsItem = envelope(
  object({
    id: integer,
    title: string,
    content: string,
    keywords: string,
    img: string,
    read: integer,
    create_time_formatted: string,
  }),
);
