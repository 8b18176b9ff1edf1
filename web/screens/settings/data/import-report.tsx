import type { Imported } from '../../../data/import-archive.ts';
import { t } from '../../../i18n/data.ts';
import { formatNumber } from '../../../i18n/format.ts';
import { Icon } from '../../../ui/icon.tsx';
import { ReportTable } from '../report-table.tsx';

const KINDS = ['objects', 'themes', 'collections', 'chats', 'events', 'agents', 'views'] as const;

/** What an import has brought in, joined and found here already. */
export function ImportReport({ report }: { report: Imported }) {
  const { dataText: text } = t();
  const { counts } = text;
  const rows = KINDS.map((kind) => ({ kind, merged: 0, ...report[kind] })).filter(
    ({ created, merged, unchanged }) => created + merged + unchanged > 0,
  );
  const isNothingNew = rows.every(({ created, merged }) => created + merged === 0);
  return (
    <div class="import-report">
      <p class="state good" role="status">
        <Icon name="check" />
        {isNothingNew ? text.nothingNew : text.broughtIn(report.objects.created)}
      </p>
      {rows.length > 0 && (
        <ReportTable
          label={text.report}
          columns={[text.report, counts.created, counts.merged, counts.unchanged]}
        >
          {rows.map(({ kind, created, merged, unchanged }) => (
            <tr key={kind}>
              <th scope="row">{text.kinds[kind]}</th>
              <td class="num">{formatNumber(created)}</td>
              <td class="num">{formatNumber(merged)}</td>
              <td class="num">{formatNumber(unchanged)}</td>
            </tr>
          ))}
        </ReportTable>
      )}
      {report.new_ids > 0 && <p class="soft">{text.newIds(report.new_ids)}</p>}
      <p class="soft">{text.settingsOf[report.settings]}</p>
    </div>
  );
}
