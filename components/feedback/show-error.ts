import { notifications } from '@mantine/notifications';
import { describeError } from './describe-error';

/** Shows the error of a failed action as a notification. */
export function showError(title: string, error: unknown): void {
  notifications.show({ title, message: describeError(error), color: 'red', autoClose: 10_000 });
}
