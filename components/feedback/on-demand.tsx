'use client';

import { type ComponentType, useEffect, useEffectEvent, useState } from 'react';
import { OpeningNotice } from './opening-notice';

/** Calls `load` when the page is first used by mouse, touch or keyboard. Returns a function that cancels this. */
export function whenUsed(load: () => void): () => void {
  const events = ['pointermove', 'pointerdown', 'keydown'] as const;
  const cancel = () => {
    for (const event of events) window.removeEventListener(event, onUse);
  };
  const onUse = () => {
    cancel();
    load();
  };
  for (const event of events) window.addEventListener(event, onUse, { passive: true });
  return cancel;
}

/** Loads code when the page is first used, so that it is ready when it is needed. */
export function useEarlyLoad(load: () => Promise<unknown>): void {
  const loadNow = useEffectEvent(() => void load().catch(() => undefined));
  useEffect(() => whenUsed(loadNow), []);
}

/**
 * Returns a dialog whose code is not part of the page: it is loaded when the dialog is first opened, or as soon as the
 * page is used. `closed` holds the props with which the dialog is closed.
 */
export function onDemand<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  closed: Partial<Props>,
): ComponentType<Props & { onClose: () => void }> {
  let loading: Promise<ComponentType<Props>> | undefined;
  const loadOnce = () => {
    loading ??= load().catch((error: unknown) => {
      // Let the next attempt load the code again.
      loading = undefined;
      throw error;
    });
    return loading;
  };
  const isClosed = (props: Props) =>
    Object.entries(closed).every(([name, value]) => Reflect.get(props, name) === value);

  // biome-ignore lint/correctness/noComponentHookFactories: called once for each dialog, when its module is loaded.
  return function OnDemand(props) {
    const [Loaded, setLoaded] = useState<ComponentType<Props> | null>(null);
    // A dialog that is mounted open would not return the focus when it closes.
    const [isReady, setReady] = useState(false);
    const [hasFailed, setFailed] = useState(false);
    const isOpen = !isClosed(props);
    useEffect(() => {
      if (Loaded) return setReady(true);
      if (hasFailed && isOpen) return;
      let isCurrent = true;
      const show = () =>
        loadOnce().then(
          (component) => isCurrent && setLoaded(() => component),
          () => isCurrent && isOpen && setFailed(true),
        );
      if (isOpen) void show();
      const cancel = isOpen ? undefined : whenUsed(() => void show());
      return () => {
        isCurrent = false;
        cancel?.();
      };
    }, [Loaded, isOpen, hasFailed]);
    if (Loaded) return <Loaded {...props} {...(isReady ? {} : closed)} />;
    if (!isOpen) return null;
    const retry = () => setFailed(false);
    const close = () => {
      setFailed(false);
      props.onClose();
    };
    return <OpeningNotice hasFailed={hasFailed} onRetry={retry} onClose={close} />;
  };
}
