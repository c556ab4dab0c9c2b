/** App ids may hold any sign: the length says where this one ends. */
export const keyOf = (ws: string, { app_id, activity_id }: { app_id: string; activity_id: string }): string =>
  `${ws}/${app_id.length}:${app_id}/${activity_id}`;
