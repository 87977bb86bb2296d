SwaggerUIBundle({
  dom_id: '#swagger-ui',
  url: new URL('json', location.href).href,
  deepLinking: true,
  validatorUrl: null,
  presets: [SwaggerUIBundle.presets.apis],
  plugins: [SwaggerUIBundle.plugins.DownloadUrl],
  layout: 'BaseLayout',
});
