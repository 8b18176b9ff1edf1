import type { ComponentChildren } from 'preact';

export interface ReportTableProps {
  readonly label: string;
  /** The first one is that of the rows. */
  readonly columns: readonly string[];
  /** Rows: `<tr>` with a `<th scope="row">`. */
  readonly children: ComponentChildren;
}

/** A table of numbers. In narrow windows it scrolls by itself, also with the keyboard. */
export const ReportTable = ({ label, columns, children }: ReportTableProps) => (
  <div class="report" tabIndex={0} role="region" aria-label={label}>
    <table>
      <thead>
        <tr>
          {columns.map((each) => (
            <th key={each} scope="col">
              {each}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>{children}</tbody>
    </table>
  </div>
);
