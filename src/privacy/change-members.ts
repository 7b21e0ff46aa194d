/** Changes members of an object of the wire without touching it. */

export type Members = Readonly<Record<string, unknown>>;

/** A copy with these members replaced, or removed where undefined; the object itself where that changes nothing. */
export function changeMembers<T extends object>(object: T, changes: Members): T {
  const members = object as Members;
  let copy: Record<string, unknown> | undefined;
  for (const name of Object.keys(changes)) {
    const value = changes[name];
    if (members[name] === value) continue;
    copy ??= { ...members };
    if (value === undefined) delete copy[name];
    else copy[name] = value;
  }
  return (copy as T | undefined) ?? object;
}

/** The same for a member that may be anything: only an object has members to change. */
export const changeMembersOf = (value: unknown, changes: (members: Members) => Members): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? changeMembers(value, changes(value as Members))
    : value;
