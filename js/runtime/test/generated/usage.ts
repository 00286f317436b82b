// Uses what rata generate --ts writes, as a page would. Only the compiler reads it: `npm run check-generated`.
import { ValidationError } from "@elyra/runtime";
import { api, live, type Order, type OrderArgument, type Status } from "../../../../internal/typegraph/testdata/typescript/shapes.js";

declare const input: OrderArgument;

export async function calls(): Promise<void> {
  const result: Order = await api.shapeOrder(input, { signal: AbortSignal.timeout(1000) });
  const status: Status = result.status;
  const maybe: string | null = result.paid;
  const nothing: void = await api.ordersReset();
  await api.shapeOptionalQuery();
  await api.shapeOptionalQuery({ Query: { search: null } });
  await api.shapeTree({ name: "root", kids: [{ name: "leaf" }, null] });
  await api.shapeForest({ Forest: [[], [[]]] });
  const open = await api.shapeOpenEnded({ known: "a", more: 1 });
  open.known.trim();
  console.log(status, maybe, nothing);

  // @ts-expect-error An argument that has to be given.
  await api.shapeOrder();
  // @ts-expect-error A misspelt argument.
  await api.shapeOptionalQuery({ Qeury: {} });
  // @ts-expect-error No value of the enumeration.
  const wrong: Status = "lost";
  // @ts-expect-error A command without arguments takes none.
  await api.ordersReset({ id: 1 });
  // @ts-expect-error A pointer that has to be given is not null.
  await api.shapeRuled({ ...(await api.shapeRuled(undefined as never)), given: null });
  // @ts-expect-error A result may lack a name that arguments must have.
  const note: string = result.note;
  // @ts-expect-error There is no such command.
  await api.ordersDestroy({ id: 1 });
  // @ts-expect-error Only live commands can be watched.
  live.shapeOrder;
  console.log(wrong, note);
}

export const stop = live.ordersWatch({ id: 1 }).subscribe(({ value, error, loading }) => {
  const id: number | undefined = value?.id;
  if (error instanceof ValidationError) console.log(error.fields);
  console.log(id, loading);
});
