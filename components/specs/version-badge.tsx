'use client';

import { Badge } from '@mantine/core';
import type { Spec } from '@/lib/specs/schema';

/**
 * Shows a spec's version and, if it was replaced, the version that replaced it. Shows nothing for a spec's only
 * version.
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
