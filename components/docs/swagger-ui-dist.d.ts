declare module 'swagger-ui-dist/swagger-ui-es-bundle.js' {
  /** What the viewer's own copy of React draws. */
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
