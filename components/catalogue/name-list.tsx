'use client';

import { Badge, Button, Group, Paper, Text, TextInput, Title } from '@mantine/core';
import { IconPlus, IconSearch } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { Announcer } from '@/components/feedback/announcer';
import { describeError } from '@/components/feedback/describe-error';
import { countOf } from '@/components/format/count';
import { focusField } from '@/components/shell/focus-field';
import { areasResponse, brandsResponse, catalogueName, createdName } from '@/lib/admin/schema';
import { ApiError, callApi } from '@/lib/http/client';
import { matching } from './matching-names';
import classes from './name-list.module.css';

const kinds = {
  brand: {
    path: '/api/admin/brands',
    title: 'Brands',
    one: 'brand',
    example: 'Acme Hotels',
    read: async (signal: AbortSignal) =>
      (await callApi('/api/admin/brands', { schema: brandsResponse, signal })).brands,
  },
  area: {
    path: '/api/admin/areas',
    title: 'Areas',
    one: 'area',
    example: 'Lobby',
    read: async (signal: AbortSignal) =>
      (await callApi('/api/admin/areas', { schema: areasResponse, signal })).areas,
  },
} as const;

/** Lists all brand or area names, with a filter and a form that adds a name. */
export function NameList({ kind, initial }: { kind: 'brand' | 'area'; initial: string[] }) {
  const { path, title, one, example, read } = kinds[kind];
  const queryClient = useQueryClient();
  const queryKey = ['names', kind];
  const { data: names } = useQuery({
    queryKey,
    queryFn: ({ signal }) => read(signal),
    initialData: initial,
  });
  const [name, setName] = useState('');
  const [filter, setFilter] = useState('');
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string | null>(null);
  const [announcement, setAnnouncement] = useState<string>();
  const shown = matching(names, filter);

  const add = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    const parsed = catalogueName.safeParse(name);
    if (!parsed.success) {
      setError(`The name ${parsed.error.issues[0]?.message ?? 'is not valid'}.`);
      focusField(form, 'name');
      return;
    }
    setBusy(true);
    setError(null);
    try {
      const created = await callApi(path, {
        method: 'POST',
        body: { name: parsed.data },
        schema: createdName,
      });
      setName('');
      setFilter('');
      setAnnouncement(`${created.name} was added.`);
      queryClient.setQueryData<string[]>(queryKey, (known = []) => [
        ...known.filter((other) => other !== created.name),
        created.name,
      ]);
      // The server sorts the names. If this refetch fails, the new name stays at the end.
      await queryClient.invalidateQueries({ queryKey });
    } catch (error) {
      setError(describeError(error));
      // Show the name that already exists.
      if (error instanceof ApiError && error.code === 'already_exists') setFilter(parsed.data);
      focusField(form, 'name')?.select();
    } finally {
      setBusy(false);
      focusField(form, 'name');
    }
  };

  return (
    <Paper component="section" withBorder p={{ base: 'md', sm: 'xl' }} aria-labelledby={`${kind}-title`}>
      <Group justify="space-between" mb="md">
        <Title order={2} id={`${kind}-title`}>
          {title}
        </Title>
        <Badge variant="default" tt="none" fw={500} aria-label={countOf(names.length, one)}>
          {names.length.toLocaleString('en')}
        </Badge>
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
            }}
            error={error}
            autoComplete="off"
            flex={1}
          />
          <Button type="submit" loading={busy} leftSection={<IconPlus size={16} />} mt="1.55rem">
            Add
          </Button>
        </Group>
      </form>
      {names.length > 0 && (
        <TextInput
          mt="lg"
          label={`Find ${kind === 'brand' ? 'a brand' : 'an area'}`}
          leftSection={<IconSearch size={16} />}
          value={filter}
          onChange={(event) => setFilter(event.currentTarget.value)}
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
          {shown.map((shownName) => (
            <li key={shownName}>{shownName}</li>
          ))}
        </ul>
      )}
      <Announcer text={announcement} />
    </Paper>
  );
}
