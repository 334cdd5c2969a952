'use client';

import { Button, Text } from '@mantine/core';
import { IconArrowUpRight, IconRefresh } from '@tabler/icons-react';
import { StatusPill } from '@/components/feedback/status-pill';
import { countOf } from '@/components/format/count';
import { RelativeTime } from '@/components/format/relative-time';
import type { EventDelivery } from '@/lib/event-endpoints/schema';
import { deliveryPill, deliveryTitle } from './endpoint-labels';
import classes from './event-list.module.css';

type DeliveryRowProps = { delivery: EventDelivery; busy: boolean; onSendAgain: () => void };

/** Shows one delivery of an event to an endpoint, and the delivery's state. */
export function DeliveryRow({ delivery, busy, onSendAgain }: DeliveryRowProps) {
  const { endpointName, attempts, reason, nextAttemptAt, createdAt, canSendAgain } = delivery;
  const { label, tone } = deliveryPill(delivery);
  const title = deliveryTitle(delivery);
  return (
    <li className={classes.event}>
      <IconArrowUpRight size={18} stroke={1.8} aria-hidden="true" className={classes.direction} />
      <div>
        <span className={classes.title}>{title}</span>
        <Text size="sm" c="dimmed">
          To {endpointName}
          {attempts > 0 && `, ${countOf(attempts, 'attempt')}`}
          {nextAttemptAt && (
            <>
              , next attempt <RelativeTime iso={nextAttemptAt} />
            </>
          )}
        </Text>
        {reason && (
          <Text size="sm" className={classes.reason}>
            {reason}
          </Text>
        )}
      </div>
      <div className={classes.outcome}>
        <StatusPill tone={tone} label={label} />
      </div>
      <Text size="sm" c="dimmed" className={classes.time}>
        <RelativeTime iso={createdAt} />
      </Text>
      {canSendAgain && (
        <Button
          size="xs"
          variant="default"
          className={classes.again}
          leftSection={<IconRefresh size={14} />}
          loading={busy}
          onClick={onSendAgain}
          aria-label={`Send again to ${endpointName}: ${title}`}
        >
          Send again
        </Button>
      )}
    </li>
  );
}
