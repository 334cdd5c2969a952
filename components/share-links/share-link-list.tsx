'use client';

import { Badge, Button, Group, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useDocuments } from '@/components/editor/documents/use-documents';
import { Announcer } from '@/components/feedback/announcer';
import { askToConfirm } from '@/components/feedback/ask-to-confirm';
import { ListFrame } from '@/components/feedback/list-frame';
import { showError } from '@/components/feedback/show-error';
import { countOf } from '@/components/format/count';
import { RelativeTime } from '@/components/format/relative-time';
import { useKeptFocus } from '@/hooks/use-kept-focus';
import { ApiError } from '@/lib/http/client';
import type { ShareLink } from '@/lib/share-links/schema';
import { readShareLinks, revokeShareLink } from './share-link-calls';
import { shownBy } from './share-link-labels';
import classes from './share-link-list.module.css';

/** Lists the active share links of a project, each with its details and a button that revokes it. */
export function ShareLinkList({ projectId }: { projectId: string }) {
  const links = useQuery({
    queryKey: ['share-links', projectId],
    queryFn: ({ signal }) => readShareLinks(projectId, signal),
  });
  const documents = useDocuments(projectId).data ?? [];
  const shown = (link: ShareLink) =>
    (documents.length > 1 && documents.find(({ id }) => id === link.documentId)?.name) || shownBy(link);
  const [busy, setBusy] = useState<string | null>(null);
  const [announcement, setAnnouncement] = useState<string>();
  // A revoked link disappears together with its focused button, so the focus moves to the heading.
  const { ref: heading, ...linksFocus } = useKeptFocus<HTMLHeadingElement>();

  const revoke = async (link: ShareLink) => {
    setBusy(link.id);
    setAnnouncement(undefined);
    try {
      await revokeShareLink(projectId, link).catch(async (error: unknown) => {
        if (!(error instanceof ApiError) || error.code !== 'not_found') throw error;
        // The link has expired or was revoked elsewhere, or the user has lost access to the project. In the last case,
        // this read fails too.
        await links.refetch({ throwOnError: true });
      });
      await links.refetch();
      setAnnouncement(`${link.name} was revoked.`);
    } catch (error) {
      showError("Couldn't revoke", error);
    } finally {
      setBusy(null);
    }
  };

  const askToRevoke = (link: ShareLink) =>
    askToConfirm({
      title: 'Revoke this link?',
      text: (
        <>
          <strong>{link.name}</strong> stops working at once. This cannot be undone.
        </>
      ),
      action: 'Revoke',
      onConfirm: () => void revoke(link),
    });

  return (
    <section {...linksFocus}>
      <Title order={3} size="h4" mb="xs" ref={heading} tabIndex={-1}>
        Active links
      </Title>
      <ListFrame
        list={{ loading: links.isFetching, error: links.error, reload: () => void links.refetch() }}
        items={links.data ?? null}
        label="Active links"
        empty="No active links."
      >
        {(link) => (
          <li key={link.id} className={classes.link}>
            <div>
              <Group gap="xs">
                <span className={classes.name}>{link.name}</span>
                <Badge variant="default" tt="none" fw={500}>
                  {shown(link)}
                </Badge>
              </Group>
              <Text size="sm" c="dimmed" component="div" mt={4} className={classes.facts}>
                <span>
                  Created <RelativeTime iso={link.createdAt} />
                  {link.createdBy !== null && ` by ${link.createdBy}`}
                </span>
                <span>
                  Expires <RelativeTime iso={link.expiresAt} />
                </span>
                <span>
                  {link.lastOpenedAt === null ? (
                    'Never opened'
                  ) : (
                    <>
                      Opened {countOf(link.openedCount, 'time')}, last{' '}
                      <RelativeTime iso={link.lastOpenedAt} />
                    </>
                  )}
                </span>
              </Text>
            </div>
            <Button
              variant="default"
              size="sm"
              loading={busy === link.id}
              onClick={() => askToRevoke(link)}
              aria-label={`Revoke ${link.name}`}
            >
              Revoke
            </Button>
          </li>
        )}
      </ListFrame>
      <Announcer text={announcement} />
    </section>
  );
}
