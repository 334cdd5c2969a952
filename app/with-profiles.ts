import { profilesOf } from '@/lib/people/queries';

/** Adds the name and picture to each person who has a profile. Throws `unavailable`. */
export async function withProfiles<Person extends { userId: string }>(people: Person[]) {
  const profiles = await profilesOf([...new Set(people.map(({ userId }) => userId))]);
  const profileOf = new Map(profiles.map(({ userId, ...profile }) => [userId, profile]));
  return people.map((person) => ({ ...person, ...profileOf.get(person.userId) }));
}
