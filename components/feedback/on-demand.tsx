'use client';

import { type ComponentType, useEffect, useEffectEvent, useLayoutEffect, useState } from 'react';
import { flushSync } from 'react-dom';
import { OpeningNotice } from './opening-notice';

/** Calls `load` when the page is first used by mouse, touch or keyboard. Returns a function that stops waiting. */
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

/** Milliseconds that a dialog waits for a menu to return the focus. The menu does so 10 ms after it closes. */
const MENU_CLOSES_MS = 20;

/**
 * Calls `open`, which opens a dialog. If the focus is in a menu or on no element, the user may have just chosen a
 * menu item. In that case, waits until the menu returns the focus to its button, but at most `MENU_CLOSES_MS`. If the
 * dialog opened earlier, it would try to return the focus to the menu item when it closes, but the menu item no longer
 * exists then. If the focus is elsewhere, calls `open` immediately. Returns a function that cancels the call.
 */
function afterMenu(open: () => void): () => void {
  const { activeElement } = document;
  if (activeElement && activeElement !== document.body && !activeElement.closest('[role=menu]')) {
    open();
    return () => {};
  }
  const done = () => {
    cancel();
    // The dialog records the focused element in an effect. Without `flushSync`, the effect would run only after the
    // dialog has moved the focus into itself.
    flushSync(open);
  };
  const cancel = () => {
    window.clearTimeout(timer);
    document.removeEventListener('focusin', done);
  };
  const timer = window.setTimeout(done, MENU_CLOSES_MS);
  document.addEventListener('focusin', done);
  return cancel;
}

/**
 * Returns a dialog whose code is not in the page's bundle. The code is loaded when the user first interacts with the
 * page or when the dialog is first opened. `closed` contains the props that close the dialog, such as
 * `{ opened: false }`.
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

  // biome-ignore lint/correctness/noComponentHookFactories: called once for each dialog, at the top level of a module.
  return function OnDemand(props) {
    const [Loaded, setLoaded] = useState<ComponentType<Props> | null>(null);
    // Mount the dialog closed. A dialog that is open when it mounts would not return the focus when it closes.
    const [isShown, setShown] = useState(false);
    const [hasFailed, setFailed] = useState(false);
    const isOpen = !isClosed(props);
    // Use a layout effect, so that the dialog records the focused element before it moves the focus into itself.
    useLayoutEffect(() => {
      if (Loaded && isOpen) return afterMenu(() => setShown(true));
      setShown(false);
    }, [Loaded, isOpen]);
    useEffect(() => {
      if (Loaded || (hasFailed && isOpen)) return;
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
    if (Loaded) return <Loaded {...props} {...(isShown ? {} : closed)} />;
    if (!isOpen) return null;
    const retry = () => setFailed(false);
    const close = () => {
      setFailed(false);
      props.onClose();
    };
    return <OpeningNotice hasFailed={hasFailed} onRetry={retry} onClose={close} />;
  };
}
