'use client';

import 'swagger-ui-dist/swagger-ui.css';
import { Skeleton, Stack, useComputedColorScheme } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import type { ViewerNode } from 'swagger-ui-dist/swagger-ui-es-bundle.js';
import { z } from 'zod';
import { ErrorAlert } from '@/components/feedback/error-alert';
import { callApi } from '@/lib/http/client';
import classes from './api-reference.module.css';

const skeletons = ['a', 'b', 'c', 'd', 'e', 'f'];

/** The viewer puts a link into the button of each call; here the button alone opens it and sets the address. */
const DeepLink = ({ text }: { text: ViewerNode }) => text;
const plainHeadings = () => ({ components: { DeepLink } });

/** The OpenAPI document, readable. The viewer is large: it is loaded with this page alone and asks nobody but us. */
export function ApiReference({ url }: { url: string }) {
  const box = useRef<HTMLDivElement>(null);
  const [state, setState] = useState<'loading' | 'ready'>('loading');
  const [error, setError] = useState<unknown>(null);
  const [attempt, setAttempt] = useState(0);
  const scheme = useComputedColorScheme('light', { getInitialValueInEffect: true });

  // The viewer's own name for dark.
  useEffect(() => {
    document.documentElement.classList.toggle('dark-mode', scheme === 'dark');
    return () => document.documentElement.classList.remove('dark-mode');
  }, [scheme]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: another attempt loads it again.
  useEffect(() => {
    let gone = false;
    async function show() {
      setError(null);
      try {
        // Read here: the viewer would only say in its own way that there is no document, and not try again.
        const [{ default: SwaggerUI }, spec] = await Promise.all([
          import('swagger-ui-dist/swagger-ui-es-bundle.js'),
          callApi(url, { schema: z.record(z.string(), z.unknown()) }),
        ]);
        if (gone || !box.current) return;
        SwaggerUI({
          domNode: box.current,
          spec,
          // Without this the viewer would send the document to a service of its makers.
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
        if (!gone) setError(error);
      }
    }
    void show();
    return () => {
      gone = true;
    };
  }, [url, attempt]);

  return (
    <section aria-label="Reference" aria-busy={state === 'loading'}>
      {error !== null && (
        <ErrorAlert
          title="The reference could not be loaded"
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
      <div ref={box} className={classes.reference} />
    </section>
  );
}
