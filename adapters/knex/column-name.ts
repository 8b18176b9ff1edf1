/** The name of a column in a statement of the service; never a name from outside. */
export type ColumnName = string & { readonly isColumnName: true };
