/** Returns the error text for a name field. `message` is the schema's reason for rejecting the name. */
export function describeNameProblem(name: string, message = 'is not valid'): string {
  return name.trim() === '' ? 'Enter a name.' : `The name ${message}.`;
}
