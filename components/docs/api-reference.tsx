'use client';

import 'swagger-ui-dist/swagger-ui.css';
import { Skeleton, Stack, useComputedColorScheme } from '@mantine/core';
import { useCallback, useEffect, useState } from 'react';
import { z } from 'zod';
import { ErrorAlert } from '@/components/feedback/error-alert';
import { callApi } from '@/lib/http/client';
import classes from './api-reference.module.css';
import { loadSwaggerUi, type ViewerNode } from './load-swagger-ui';

const skeletons = ['a', 'b', 'c', 'd', 'e', 'f'];

/**
 * Replaces the links that Swagger UI nests in the clickable headings of tags and operations. Plain text is enough,
 * because a click on the heading itself expands its content and sets the URL.
 */
const DeepLink = ({ text }: { text: ViewerNode }) => text;
const plainHeadings = () => ({ components: { DeepLink } });

/**
 * Renders the OpenAPI document at `url` with Swagger UI, which is large and therefore loaded only when this component
 * mounts. As configured here, Swagger UI makes no third-party requests.
 */
export function ApiReference({ url }: { url: string }) {
  const [state, setState] = useState<'loading' | 'ready'>('loading');
  const [error, setError] = useState<unknown>(null);
  const [attempt, setAttempt] = useState(0);
  const scheme = useComputedColorScheme('light', { getInitialValueInEffect: true });

  // Set the class name that Swagger UI expects for its dark theme.
  useEffect(() => {
    document.documentElement.classList.toggle('dark-mode', scheme === 'dark');
    return () => document.documentElement.classList.remove('dark-mode');
  }, [scheme]);

  const showIn = useCallback(
    (box: HTMLElement | null) => {
      let isCanceled = false;
      async function show() {
        setError(null);
        try {
          // Load the document here, because Swagger UI would show its own error message and offer no retry.
          const [showSwaggerUi, { servers: _, ...spec }] = await Promise.all([
            loadSwaggerUi(),
            callApi(url, { schema: z.record(z.string(), z.unknown()) }),
          ]);
          if (isCanceled || !box) return;
          showSwaggerUi({
            domNode: box,
            // Without `servers`, it calls the origin of the page and shows no list with a single server.
            spec,
            // Turn validation off. By default, Swagger UI uses a public validator on the web.
            validatorUrl: null,
            deepLinking: true,
            plugins: [plainHeadings],
            docExpansion: 'none',
            defaultModelsExpandDepth: 0,
            tryItOutEnabled: false,
            displayRequestDuration: true,
            onComplete: () => setState('ready'),
          });
        } catch (error) {
          if (!isCanceled) setError(error);
        }
      }
      void show();
      return () => {
        isCanceled = true;
      };
    },
    [url],
  );

  return (
    <section aria-label="API reference" aria-busy={state === 'loading'}>
      {error !== null && (
        <ErrorAlert
          title="The API reference could not be loaded"
          error={error}
          onRetry={() => setAttempt((n) => n + 1)}
        />
      )}
      {state === 'loading' && error === null && (
        <Stack gap="xs">
          {skeletons.map((row) => (
            <Skeleton key={row} height={48} />
          ))}
        </Stack>
      )}
      {/* The key gives each attempt a new, empty element. */}
      <div key={attempt} ref={showIn} className={classes.reference} />
    </section>
  );
}
