'use client';

import { Button, Checkbox, Group, Skeleton, Stack, Text, Title } from '@mantine/core';
import { IconArrowLeft } from '@tabler/icons-react';
import { ErrorAlert } from '@/components/feedback/error-alert';
import { ShowMore } from '@/components/feedback/show-more';
import { focusOnMount } from '@/components/shell/focus-on-mount';
import { usePages } from '@/hooks/use-pages';
import type { Standard, StandardSection } from '@/lib/specs/standards/schema';
import { readStandardSections } from './standard-calls';
import classes from './standards.module.css';

type SectionChoiceProps = {
  projectId: string;
  standard: Standard;
  picks: readonly StandardSection[];
  /** Whether no further sections can be picked. */
  isFull: boolean;
  onToggle: (section: StandardSection) => void;
  onBack: () => void;
};

/** Shows the sections of a brand standard. Users can pick several of them. */
export function SectionChoice({ projectId, standard, picks, isFull, onToggle, onBack }: SectionChoiceProps) {
  const { specUploadId, fileName } = standard;
  const list = usePages({
    queryKey: ['standard-sections', projectId, specUploadId],
    read: (cursor, signal) => readStandardSections(projectId, specUploadId, cursor, signal),
  });
  return (
    <Stack gap="md">
      <Group gap="sm" wrap="nowrap" align="flex-start">
        <Button
          variant="default"
          size="xs"
          leftSection={<IconArrowLeft size={16} stroke={1.6} />}
          className={classes.back}
          onClick={onBack}
        >
          Back
        </Button>
        {/* The button that opened this view is hidden. Focus the heading, so that screen readers announce the view. */}
        <Title ref={focusOnMount} tabIndex={-1} order={3} size="h5" className={classes.chosen}>
          {fileName}
        </Title>
      </Group>
      {list.error !== null && (
        <ErrorAlert
          title="The sections could not be loaded"
          error={list.error}
          onRetry={() => void list.reload()}
        />
      )}
      {list.items === null && list.error === null && <Skeleton h={160} role="status" aria-label="Loading" />}
      {list.items?.length === 0 && <Text c="dimmed">This brand standard has no sections.</Text>}
      {list.items !== null && list.items.length > 0 && (
        <ul className={classes.list} aria-label={`Sections of ${fileName}`}>
          {list.items.map((section) => {
            const isPicked = picks.some(({ number }) => number === section.number);
            return (
              <li
                key={section.number}
                style={{ paddingInlineStart: `${(Math.min(section.level, 6) - 1) * 0.75}rem` }}
              >
                <Checkbox
                  label={section.page === null ? section.title : `${section.title} (page ${section.page})`}
                  description={
                    section.text && (
                      <Text span inherit lineClamp={3}>
                        {section.text}
                      </Text>
                    )
                  }
                  checked={isPicked}
                  disabled={isFull && !isPicked}
                  onChange={() => onToggle(section)}
                />
              </li>
            );
          })}
        </ul>
      )}
      <ShowMore list={list} size="xs" />
    </Stack>
  );
}
