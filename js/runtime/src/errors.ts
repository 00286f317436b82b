/** The error object of a refused request, as the app sends it. */
export interface ErrorBody {
  kind: string;
  message: string;
  /** JSON path of an argument → messages for people. Only for arguments that were refused. */
  fields?: Record<string, string[]>;
  /** The ability that the window was not granted. */
  ability?: string;
}

/** A command that failed, or that could not be reached. `kind` says which, `message` is for people. */
export class CommandError extends Error {
  override name = "CommandError";
  constructor(
    message: string,
    /** What went wrong, for programs: the app's word, or "transport" when the app gave no answer. */
    readonly kind: string,
  ) {
    super(message);
  }
}

/** The arguments were refused. `fields` is what a form shows beside its inputs. */
export class ValidationError extends CommandError {
  override name = "ValidationError";
  constructor(
    message: string,
    kind: string,
    /** JSON path of the argument ("input.lines[1].qty") → messages. */
    readonly fields: Record<string, string[]>,
  ) {
    super(message, kind);
  }
}

/** The app did not grant its windows the ability that the command needs. */
export class NotAllowedError extends CommandError {
  override name = "NotAllowedError";
  constructor(
    message: string,
    kind: string,
    /** The missing ability, "" when the app did not name one. */
    readonly ability: string,
  ) {
    super(message, kind);
  }
}

/** toError turns the app's error object into the class that a caller can catch. */
export function toError(body: Partial<ErrorBody> | undefined, status = 0): CommandError {
  const kind = body?.kind ?? "transport";
  const message = body?.message ?? `the app answered with status ${status}`;
  if (body?.fields) return new ValidationError(message, kind, body.fields);
  if (body?.ability !== undefined || status === 403) return new NotAllowedError(message, kind, body?.ability ?? "");
  return new CommandError(message, kind);
}
