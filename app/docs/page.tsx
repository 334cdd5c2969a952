import { Anchor, List, ListItem, Paper, Stack, Text, Title } from '@mantine/core';
import { ApiReference } from '@/components/docs/api-reference';
import { mainNav } from '@/components/shell/main-nav';
import { PageHeading } from '@/components/shell/page-heading';
import { SiteShell } from '@/components/shell/site-shell';
import { pageCaller } from '@/lib/auth/page-caller';
import { kitFiles } from '@/lib/workflow/kit/schema';

export const metadata = { title: 'API documentation' };

const kit: Record<(typeof kitFiles)[number], string> = {
  'atelier-spec.n8n.json': 'takes a spec, reads its PDF, counts its sections and reports',
  'atelier-image.n8n.json': 'takes a prompt, asks an image model, stores the pictures and reports',
};

/** The whole interface, for anybody: the document, what helps to build on it, and each call. */
export default async function DocsPage() {
  const caller = await pageCaller();
  return (
    <SiteShell
      account={caller && { email: caller.email, isAdmin: caller.isAdmin }}
      nav={caller ? mainNav(caller) : []}
    >
      <PageHeading
        title="API documentation"
        description="Every call of the service, what it takes and what it answers, made from the very checks that a request goes through."
      />
      <Stack gap="xl">
        <Paper withBorder p={{ base: 'md', sm: 'xl' }} component="section" aria-labelledby="downloads-title">
          <Title order={2} id="downloads-title" mb="sm">
            Downloads
          </Title>
          <List spacing="xs">
            <ListItem>
              <Anchor underline="always" href="/api/openapi.json" download="atelier.openapi.json">
                atelier.openapi.json
              </Anchor>
              <Text component="span" c="dimmed">
                {' '}
                – this documentation as OpenAPI 3.1, for tools and client generators
              </Text>
            </ListItem>
            {kitFiles.map((file) => (
              <ListItem key={file}>
                <Anchor underline="always" href={`/api/workflow-kit/${file}`} download={file}>
                  {file}
                </Anchor>
                <Text component="span" c="dimmed">
                  {' '}
                  – a workflow to import into n8n: {kit[file]}
                </Text>
              </ListItem>
            ))}
          </List>
          <Text size="sm" c="dimmed" mt="md">
            What the workflow service is sent stands below under “Workflow service”, and what it reports under
            the two callbacks. The note inside each workflow says which secrets to put where.
          </Text>
        </Paper>
        <ApiReference url="/api/openapi.json" />
      </Stack>
    </SiteShell>
  );
}
