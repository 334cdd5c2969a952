import { redirect } from 'next/navigation';

export default async function ProjectPage({ params }: { params: Promise<{ id: string }> }) {
  redirect(`/projects/${encodeURIComponent((await params).id)}/studio`);
}
