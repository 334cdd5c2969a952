'use client';

import { Badge, Group, Paper, Text, TextInput, Title } from '@mantine/core';
import { IconPlus, IconSearch } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { Announcer } from '@/components/feedback/announcer';
import { describeError } from '@/components/feedback/describe-error';
import { describeNameProblem } from '@/components/form/describe-name-problem';
import { SubmitButton } from '@/components/form/submit-button';
import { countOf } from '@/components/format/count';
import { focusField } from '@/components/shell/focus-field';
import { readAgain } from '@/hooks/read-again';
import { useKeptFocus } from '@/hooks/use-kept-focus';
import { type Catalogue, catalogueName } from '@/lib/admin/schema';
import { createName, existingName, type NameKind, readCatalogue } from './catalogue-calls';
import { ImportNamesButton } from './import-names-button';
import { matching } from './matching-names';
import classes from './name-list.module.css';
import { NameRow } from './name-row';

const kinds = {
  brand: { list: 'brands', title: 'Brands', one: 'brand', example: 'Acme Hotels' },
  area: { list: 'areas', title: 'Areas', one: 'area', example: 'Lobby' },
} as const;

const queryKey = ['catalogue'];

/** Lists all brands or areas, each with a menu. Also offers a filter, a form that adds a name, and a CSV import. */
export function NameList({ kind, initial }: { kind: NameKind; initial: Catalogue }) {
  const { list, title, one, example } = kinds[kind];
  const keptFocus = useKeptFocus<HTMLDivElement>();
  const queryClient = useQueryClient();
  const { data: catalogue } = useQuery({
    queryKey,
    queryFn: ({ signal }) => readCatalogue(signal),
    initialData: initial,
  });
  const entries = catalogue[list];
  const names = entries.map((entry) => entry.name);
  const reload = () => void readAgain(queryClient, queryKey);
  const [name, setName] = useState('');
  const [typedFilter, setFilter] = useState('');
  // The existing spelling of a name that the user tried to add. The list is filtered by it until the user types again.
  const [existing, setExisting] = useState<string | null>(null);
  const filter = existing ?? typedFilter;
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string | null>(null);
  const [announcement, setAnnouncement] = useState<string>();
  const found = new Set(matching(names, filter));
  const shown = entries.filter((entry) => found.has(entry.name));
  const matches = shown.length < names.length ? `${shown.length.toLocaleString('en')} of ` : '';

  const add = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    const parsed = catalogueName.safeParse(name);
    if (!parsed.success) {
      setError(describeNameProblem(name, parsed.error.issues[0]?.message));
      focusField(form, 'name');
      return;
    }
    setBusy(true);
    setError(null);
    try {
      const created = await createName(kind, parsed.data);
      setName('');
      setFilter('');
      setExisting(null);
      setAnnouncement(`${created} was added.`);
      queryClient.setQueryData<Catalogue>(
        queryKey,
        (current) =>
          current && {
            ...current,
            [list]: [...current[list].filter((entry) => entry.name !== created), { name: created, specs: 0 }],
          },
      );
      // Reload, because the server sorts the names. If the reload fails, the new name stays at the end.
      await readAgain(queryClient, queryKey);
    } catch (error) {
      setError(describeError(error));
      setExisting(existingName(error));
      focusField(form, 'name')?.select();
    } finally {
      setBusy(false);
      focusField(form, 'name');
    }
  };

  return (
    <Paper
      component="section"
      withBorder
      p={{ base: 'md', sm: 'xl' }}
      aria-labelledby={`${kind}-title`}
      tabIndex={-1}
      className={classes.section}
      {...keptFocus}
    >
      <Group justify="space-between" mb="md">
        <Title order={2} id={`${kind}-title`}>
          {title}
        </Title>
        <Group gap="xs">
          <ImportNamesButton kind={kind} known={names} onDone={reload} />
          <Badge variant="default" tt="none" fw={500} aria-label={`${matches}${countOf(names.length, one)}`}>
            {matches}
            {names.length.toLocaleString('en')}
          </Badge>
        </Group>
      </Group>
      <form onSubmit={add} noValidate>
        <Group align="flex-start" gap="xs" wrap="nowrap">
          <TextInput
            name="name"
            label={`New ${one}`}
            placeholder={`e.g. ${example}`}
            value={name}
            onChange={(event) => {
              setName(event.currentTarget.value);
              setError(null);
              setExisting(null);
            }}
            error={error}
            autoComplete="off"
            flex={1}
          />
          <SubmitButton loading={busy} leftSection={<IconPlus size={16} />} mt="1.55rem">
            Add
          </SubmitButton>
        </Group>
      </form>
      {names.length > 0 && (
        <TextInput
          mt="lg"
          label={`Find ${kind === 'brand' ? 'a brand' : 'an area'}`}
          leftSection={<IconSearch size={16} />}
          value={filter}
          onChange={(event) => {
            setFilter(event.currentTarget.value);
            setExisting(null);
          }}
          autoComplete="off"
          type="search"
        />
      )}
      {names.length === 0 ? (
        <Text c="dimmed" mt="lg">
          No {title.toLowerCase()} yet. Add one before you upload specs.
        </Text>
      ) : shown.length === 0 ? (
        <Text c="dimmed" mt="lg">
          No {one} matches “{filter.trim()}”.
        </Text>
      ) : (
        <ul className={classes.list} aria-label={title}>
          {shown.map((entry) => (
            <NameRow
              key={entry.name}
              kind={kind}
              entry={entry}
              others={names.filter((other) => other !== entry.name)}
              onChanged={reload}
              onReplaced={() => {
                keptFocus.ref.current?.focus({ preventScroll: true });
                reload();
              }}
            />
          ))}
        </ul>
      )}
      <Announcer text={announcement} />
    </Paper>
  );
}
