import { notifications } from '@mantine/notifications';
import { describeError } from '@/components/feedback/describe-error';
import { prepareImageDownload } from './gallery-calls';

/**
 * Starts the download of images as one ZIP file, which the browser writes to disk as it arrives. Shows a notification
 * if the download cannot be prepared.
 */
export async function downloadImages(
  project: { id: string; name: string },
  imageIds: string[],
): Promise<void> {
  try {
    const link = document.createElement('a');
    link.href = await prepareImageDownload(project.id, imageIds);
    link.download = `${project.name}.zip`;
    link.click();
  } catch (error) {
    const title = 'The images could not be downloaded';
    notifications.show({ title, message: describeError(error), color: 'red', autoClose: 10_000 });
  }
}
