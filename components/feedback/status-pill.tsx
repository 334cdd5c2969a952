import type { Icon } from '@tabler/icons-react';
import classes from './status-pill.module.css';

type Tone = 'quiet' | 'busy' | 'good' | 'bad';

/** A status as text, icon and color, so that it never depends on color alone. */
export function StatusPill({ tone, label, Icon }: { tone: Tone; label: string; Icon: Icon }) {
  return (
    <span className={classes.pill} data-tone={tone}>
      <Icon size={16} stroke={1.8} aria-hidden="true" className={classes.icon} />
      {label}
    </span>
  );
}
