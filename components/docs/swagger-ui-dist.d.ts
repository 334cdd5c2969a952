declare module 'swagger-ui-dist/swagger-ui-es-bundle.js' {
  /** A React node, as created by the copy of React in the Swagger UI bundle. */
  export type ViewerNode = object | string;
  type SwaggerPlugin = () => { components: { DeepLink: (props: { text: ViewerNode }) => ViewerNode } };
  type SwaggerOptions = {
    domNode: HTMLElement;
    spec: object;
    validatorUrl: null;
    deepLinking: boolean;
    plugins: SwaggerPlugin[];
    docExpansion: 'none' | 'list' | 'full';
    defaultModelsExpandDepth: number;
    tryItOutEnabled: boolean;
    displayRequestDuration: boolean;
    onComplete: () => void;
  };
  export default function SwaggerUI(options: SwaggerOptions): unknown;
}
