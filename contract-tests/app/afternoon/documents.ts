import { cp, mkdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { DEMO_FOLDER } from '../../../scripts/demo/workspace.ts';

/** Of the demo workspace: English and German, pdf, docx, odt, xlsx, eml, csv, png, txt and md. */
const FOLDERS: Readonly<Record<string, readonly string[]>> = {
  'Home/Flat, Lotsenweg 7': [
    'AW_ Balkonbrett.eml',
    'Flat viewing Mühlenweg 3.md',
    'Handover record 1 March 2024.docx',
    'Hausordnung.txt',
    'Letter of Baumann & Söhne, deposit.pdf',
    'Moving checklist.md',
    'Mängelanzeige Balkonbrett.docx',
    'Nebenkostenabrechnung 2024.pdf',
    'Nebenkostenabrechnung 2025.pdf',
    'Photos before moving in - list.md',
    'Tenancy agreement Lotsenweg 7.pdf',
  ],
  'Home/Household bills': [
    'Internet 2026-08.txt',
    'Internet 2026-09.txt',
    'Internet 2026-10.txt',
    'Kaminholz Lieferschein.txt',
    'Rundfunkbeitrag 2026.txt',
    'Schornsteinfeger 2026.txt',
    'Stromrechnung 2024.pdf',
    'Stromrechnung 2025.pdf',
    'Zählerstände.csv',
  ],
  'Tern/Boat papers': [
    'Bill of sale, sloop Tern.pdf',
    'Boat insurance Tern, policy 2026.pdf',
    'Boat insurance Tern, policy 2027.pdf',
    'Harbour dues 2026.txt',
    'Rigging quotes 2027.xlsx',
    'VHF licence Ines Halloran.pdf',
    'Winter berth 2026-27, Tamm yard.eml',
    'Winterising list.md',
  ],
  'Money/Tax 2025': [
    'Brief der Steuerberaterin.docx',
    'Fahrtenbuch 2026.csv',
    'Spendenbescheinigung 2025.pdf',
    'Steuerbescheid 2024.pdf',
    'Steuerbescheid 2025.pdf',
    'Steuererklärung 2025, Übersicht.xlsx',
  ],
  'Work/Invoices': [
    'Invoice 2026-01 Museum of the Upper Shore.pdf',
    'Invoice 2026-02 Lindqvist Press.pdf',
    'Invoice 2026-03 Tamm Yard.txt',
    'Invoice 2026-04 Northern Ferries Cooperative.txt',
    'Invoice 2026-05 Lindqvist Press.txt',
    'Invoice 2026-06 Skerry Light Trust.txt',
    'Invoice 2026-07 Dr. Wen, technical.txt',
    'Open invoices.xlsx',
    'Reminder to Wen Instruments.eml',
  ],
  'Family/School': [
    'Einverständnis Schwimmen.odt',
    'Elternbrief Herbst.pdf',
    'Ferientermine 2026-27.txt',
    'Krankmeldung Lotte.eml',
    'Protokoll Elternabend 3. November.docx',
    'Stundenplan 3b.csv',
    'Zeugnis Lotte Klasse 2.pdf',
  ],
  'Travel/Trips': [
    'Ferry to the light, booking.eml',
    'Packing list, rock in winter.md',
    'Parking at the old dock.png',
    'Yunxi and back, itinerary 2023.txt',
  ],
  'In no folder': [
    'Antifouling, receipt.png',
    'Gooseberry cake.md',
    'Passport.png',
    'Survey 2026, summary.pdf',
    'tides-2027.csv',
    'Things to ask Mara.md',
  ],
};

export const FILE_COUNT = Object.values(FOLDERS).flat().length;

/** Lays the files out as a person has them: in folders of one folder. Returns its path. */
export async function layOut(place: string): Promise<string> {
  const papers = join(place, 'Papers');
  for (const [folder, files] of Object.entries(FOLDERS)) {
    const target = join(papers, basename(folder));
    await mkdir(target, { recursive: true });
    for (const file of files)
      await cp(join(DEMO_FOLDER, 'files', folder, file), join(target, file));
  }
  return papers;
}
