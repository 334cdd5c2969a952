import { Anchor, List, ListItem, Paper, Stack, Text, Title } from '@mantine/core';
import { ApiReference } from '@/components/docs/api-reference';
import { mainNav } from '@/components/shell/main-nav';
import { PageHeading } from '@/components/shell/page-heading';
import { SiteShell } from '@/components/shell/site-shell';
import { pageCaller } from '@/lib/auth/page-caller';
import { kitFiles } from '@/lib/workflow/kit/schema';
import { shellAccount } from '../shell-account';

export const metadata = { title: 'API documentation' };

const kit: Record<(typeof kitFiles)[number], string> = {
  'atelier-spec.n8n.json': 'accepts a spec, reads its PDF, counts its sections and reports',
  'atelier-image.n8n.json': 'accepts a prompt, calls an image model, stores the images and reports',
  'atelier-image-progress.n8n.json': 'the same, but reports each image as soon as it is stored',
};

/** Shows the API documentation: links to the OpenAPI document and the n8n workflows, and a description of each call. */
export default async function DocsPage() {
  const caller = await pageCaller();
  return (
    <SiteShell account={await shellAccount(caller)} nav={caller ? mainNav(caller) : []}>
      <PageHeading
        title="API documentation"
        description="Every call with its parameters and responses, generated from the schemas that validate each request."
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
            Triggers are described below under “Workflow service”, and the expected results under the two
            callbacks. The note inside each workflow explains which secrets it needs.
          </Text>
        </Paper>
        <ApiReference url="/api/openapi.json" />
      </Stack>
    </SiteShell>
  );
}
