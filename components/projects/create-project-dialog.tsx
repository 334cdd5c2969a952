'use client';

import { Modal } from '@mantine/core';
import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { studioHref } from '@/components/studio/studio-url';
import { createSubmitOnce } from '@/hooks/submit-once';
import { createProject } from './project-calls';
import { ProjectNameForm } from './project-name-form';

/** Asks for a name, creates the project and opens its studio. */
export function CreateProjectDialog({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const [submitOnce] = useState(createSubmitOnce);
  const router = useRouter();
  return (
    <Modal opened={opened} onClose={onClose} title="New project">
      <ProjectNameForm
        description="You can add members later."
        action="Create"
        onSave={async (name) => {
          const { id } = await submitOnce(name, (key) => createProject(name, key));
          router.push(studioHref(id));
        }}
        onCancel={onClose}
      />
    </Modal>
  );
}
