import assert from 'node:assert/strict';
import { Ajv2020 } from 'ajv/dist/2020.js';

/** The parts of an OpenAPI document that are checked. */
interface DocumentedResponse {
  $ref?: string;
  content?: Record<string, { schema: object; examples?: object }>;
}
interface Operation {
  operationId: string;
  responses: Record<string, DocumentedResponse>;
}
interface OpenApiDocument {
  paths: Record<string, Partial<Record<string, Operation>>>;
  components: { responses: Record<string, DocumentedResponse> };
}

/** A request, and the answer to it. */
interface Exchange {
  method: string;
  /** Below the place where the service is mounted. */
  url: string;
  status: number;
  contentType: string | undefined;
  body: string;
}

const PREVIEW = /^\/preview\/[^/]+/;

/**
 * Asserts that answers are as the published document says: of a route's statuses, and in its schema; an error has one of
 * the codes that the route can have.
 */
export function openDocumentCheck(document: OpenApiDocument): (exchange: Exchange) => void {
  const ajv = new Ajv2020({ strict: false, validateFormats: false, validateSchema: false, allErrors: true });
  ajv.addSchema({ $id: 'openapi.json', ...document });
  const validate = (pointer: string, value: unknown) => {
    const isValid = ajv.getSchema(`openapi.json#${pointer}`) ?? assert.fail(`no schema ${pointer}`);
    assert.ok(isValid(value), `${pointer}: ${ajv.errorsText(isValid.errors)}`);
  };
  return ({ method, url, status, contentType, body }) => {
    // A preview is what its route answers; its own errors are in the manual.
    const [asked = ''] = (status < 400 ? url.replace(PREVIEW, '') : url).split('?');
    const path = Object.keys(document.paths).find(template =>
      new RegExp(`^${template.replace(/\{\w+\}/g, '[^/]+')}$`).test(asked),
    );
    const isJson = /^application\/([a-z]+\+)?json/.test(contentType ?? '') && body !== '';
    const verb = method === 'HEAD' ? 'get' : method.toLowerCase();
    const operation = document.paths[path ?? '']?.[verb];
    if (!path || !operation) {
      if (isJson && status >= 400) validate('/components/schemas/Error', JSON.parse(body));
      return;
    }
    const place = `/paths/${path.replaceAll('/', '~1')}/${verb}/responses/${status}`;
    const named = operation.responses[status] ?? assert.fail(`${place} is not documented`);
    const pointer = named.$ref?.slice(1) ?? place;
    const response = named.$ref ? document.components.responses[named.$ref.split('/').at(-1) ?? ''] : named;
    if (body === '') return;
    const [[type, media] = assert.fail(`${place} has no body`)] = Object.entries(response?.content ?? {});
    const [mediaType = ''] = contentType?.split(';') ?? [];
    assert.ok(
      mediaType === type || (type === 'image/*' && mediaType.startsWith('image/')),
      `${place}: ${mediaType}`,
    );
    if (!isJson) return;
    const answer = JSON.parse(body);
    validate(`${pointer}/content/${type.replace('/', '~1')}/schema`, answer);
    if (!answer.success && media.examples)
      assert.ok(answer.data.error in media.examples, `${place}: ${answer.data.error}`);
  };
}
