/** Explains the export to people who open it without the service. */
export const README = `This is an export of an Owner Workspace.

files/          Your files by theme and folder. Notes are Markdown (.md), links are shortcuts (.url).
hidden/         The same for hidden files, where they were unlocked for the export.
trash/          The same for the trash.
contents/       Earlier versions of files, each named after the SHA-256 of its bytes.
calendar.ics    The calendar, as other calendars read it too.
metadata/       Everything else as JSON, one record a line: objects with their names, categories, texts,
                corrections and versions; folders, themes, views, chats, agent roles and settings. "path" says where a
                file lies here.
manifest.json   The size and SHA-256 of every file in this archive.

Names that some systems can not keep were changed a little; the real ones are in metadata/.
To take it back into a workspace, unchanged: POST /v1/import.
`;
