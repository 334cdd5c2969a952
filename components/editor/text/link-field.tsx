'use client';

import { Button, CloseButton, TextInput } from '@mantine/core';
import type { Editor } from '@tiptap/react';
import { type FormEvent, useState } from 'react';
import { SubmitButton } from '@/components/form/submit-button';
import { parseLink } from './link-address';
import classes from './text-editor.module.css';

/**
 * Field that sets, changes or removes the link on the selected text or at the cursor. An invalid URL stays in the
 * field, with a message.
 */
export function LinkField({ editor, onClose }: { editor: Editor; onClose: () => void }) {
  const current: unknown = editor.getAttributes('link').href;
  const known = typeof current === 'string' ? current : null;
  const [typed, setTyped] = useState(known ?? '');
  const [error, setError] = useState<string | null>(null);

  const done = () => {
    onClose();
    editor.commands.focus();
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const read = parseLink(typed);
    if ('error' in read) return setError(read.error);
    const chain = editor.chain().extendMarkRange('link');
    if (editor.state.selection.empty && known === null) {
      const marks = [{ type: 'link', attrs: { href: read.href } }];
      chain.insertContent({ type: 'text', text: typed.trim(), marks }).unsetMark('link').run();
    } else {
      chain.setLink({ href: read.href }).run();
    }
    done();
  };

  return (
    <form className={classes.link} onSubmit={submit} noValidate>
      <TextInput
        className={classes.address}
        size="xs"
        aria-label="Link URL"
        placeholder="https://… or name@example.com"
        value={typed}
        error={error}
        errorProps={{ role: 'alert' }}
        data-autofocus
        autoFocus
        onChange={(event) => {
          setTyped(event.currentTarget.value);
          setError(null);
        }}
      />
      <SubmitButton size="xs">Set link</SubmitButton>
      {known !== null && (
        <Button
          size="xs"
          variant="default"
          onClick={() => {
            editor.chain().extendMarkRange('link').unsetLink().run();
            done();
          }}
        >
          Remove
        </Button>
      )}
      <CloseButton aria-label="Close link field" onClick={done} />
    </form>
  );
}
