'use client';

import { Badge } from '@mantine/core';
import type { Spec } from '@/lib/specs/schema';

/**
 * Shows a spec's version and, if there is a newer one, the current version. Shows nothing for a first version that has
 * not been replaced.
 */
export function VersionBadge({ spec: { version = 1, replacedBy } }: { spec: Spec }) {
  if (replacedBy) {
    return (
      <Badge variant="default" tt="none" fw={500}>
        v{version}, replaced by v{replacedBy.version}
      </Badge>
    );
  }
  return version > 1 ? (
    <Badge variant="default" tt="none" fw={500}>
      v{version}
    </Badge>
  ) : null;
}
