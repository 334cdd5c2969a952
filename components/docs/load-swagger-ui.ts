/** A React node, as created by the copy of React in the Swagger UI bundle. */
export type ViewerNode = object | string;

type SwaggerOptions = {
  domNode: HTMLElement;
  spec: object;
  validatorUrl: null;
  deepLinking: boolean;
  plugins: (() => { components: { DeepLink: (props: { text: ViewerNode }) => ViewerNode } })[];
  docExpansion: 'none' | 'list' | 'full';
  defaultModelsExpandDepth: number;
  tryItOutEnabled: boolean;
  displayRequestDuration: boolean;
  onComplete: () => void;
};

declare global {
  /** Set by the script of Swagger UI. */
  var SwaggerUIBundle: ((options: SwaggerOptions) => unknown) | undefined;
}

/**
 * Loads Swagger UI with a script element and returns its function. The bundler only copies the script, which is already
 * minified. As a module of a bundle, it would add seconds to each build. Rejects if the script cannot be loaded.
 */
export async function loadSwaggerUi(): Promise<NonNullable<typeof SwaggerUIBundle>> {
  if (!globalThis.SwaggerUIBundle) {
    const script = document.createElement('script');
    script.src = new URL('swagger-ui-dist/swagger-ui-bundle.js', import.meta.url).href;
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    script.addEventListener('load', resolve);
    script.addEventListener('error', () => reject(new Error('the script of Swagger UI could not be loaded')));
    document.head.append(script);
    await promise.finally(() => script.remove());
  }
  if (!globalThis.SwaggerUIBundle) throw new Error('the script of Swagger UI did not define its function');
  return globalThis.SwaggerUIBundle;
}
