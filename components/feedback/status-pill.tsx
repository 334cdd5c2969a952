import {
  type Icon,
  IconAlertTriangle,
  IconCircleCheck,
  IconCircleMinus,
  IconLoader2,
} from '@tabler/icons-react';
import classes from './status-pill.module.css';

const icons = { quiet: IconCircleMinus, busy: IconLoader2, good: IconCircleCheck, bad: IconAlertTriangle };

type StatusPillProps = { tone: keyof typeof icons; label: string; Icon?: Icon };

/** Shows a status as text, icon and color, so that it never depends on color alone. */
export function StatusPill({ tone, label, Icon = icons[tone] }: StatusPillProps) {
  return (
    <span className={classes.pill} data-tone={tone}>
      <Icon size={16} stroke={1.8} aria-hidden="true" className={classes.icon} />
      {label}
    </span>
  );
}
