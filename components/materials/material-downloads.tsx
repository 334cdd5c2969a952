'use client';

import { SegmentedControl, Text } from '@mantine/core';
import { useState } from 'react';
import { formatBytes } from '@/components/format/bytes';
import { countOf } from '@/components/format/count';
import type { FilesResponse } from '@/lib/matlib/schema';
import classes from './material-detail.module.css';
import { extrasOf, firstResolution, mapsAt, packagesAt } from './material-files';
import { packageLabel, roleLabels } from './material-labels';

/** `bytes` is null if the library does not report the file size. */
type FileLinkProps = { label: string; format: string; url: string; bytes: number | null };

function FileLink({ label, format, url, bytes }: FileLinkProps) {
  return (
    <a
      href={url}
      className={classes.file}
      target="_blank"
      rel="noopener noreferrer"
      aria-label={[`Download ${label}`, format, ...(bytes === null ? [] : [formatBytes(bytes)])].join(', ')}
    >
      <b>{format}</b> {bytes !== null && formatBytes(bytes)}
    </a>
  );
}

/**
 * Shows a material's download links: maps and packages in the chosen resolution, and files that do not come in several
 * resolutions.
 */
export function MaterialDownloads({ files }: { files: FilesResponse }) {
  const { resolutions } = files;
  const [chosen, setChosen] = useState(firstResolution(resolutions));
  const resolution = chosen && resolutions.includes(chosen) ? chosen : firstResolution(resolutions);
  const maps = resolution ? mapsAt(files, resolution) : [];
  const packages = resolution ? packagesAt(files, resolution) : [];
  const extras = extrasOf(files);
  return (
    <section aria-labelledby="files-title">
      <h3 id="files-title" className={classes.heading}>
        Files
      </h3>
      {resolution ? (
        <SegmentedControl
          aria-label="Resolution"
          size="sm"
          className={classes.resolutions}
          value={resolution}
          onChange={setChosen}
          data={resolutions.map((value) => ({ value, label: value.toUpperCase() }))}
        />
      ) : (
        extras.length === 0 && <Text c="dimmed">The library has no files for this material.</Text>
      )}
      {packages.length > 0 && (
        <>
          <h4 className={classes.subheading}>Packages</h4>
          <ul className={classes.files}>
            {packages.map(({ name, file, bytes }) => (
              <li key={name}>
                <span>{packageLabel(name)}</span>
                <FileLink
                  label={`the ${packageLabel(name)} file`}
                  format={name}
                  url={file.url}
                  bytes={file.size}
                />
                {file.include.length > 0 && (
                  <details className={classes.beside}>
                    <summary>
                      + {countOf(file.include.length, 'file')}
                      {bytes !== null && `, ${formatBytes(bytes)} total`}
                    </summary>
                    <ul>
                      {file.include.map(({ path, url, size }) => (
                        <li key={path}>
                          <a href={url} target="_blank" rel="noopener noreferrer">
                            {path}
                          </a>{' '}
                          {size !== null && formatBytes(size)}
                        </li>
                      ))}
                    </ul>
                  </details>
                )}
              </li>
            ))}
          </ul>
        </>
      )}
      {maps.length > 0 && (
        <>
          <h4 className={classes.subheading}>Maps</h4>
          <ul className={classes.files}>
            {maps.map(({ name, role, formats }) => {
              const label = role === 'other' ? name : roleLabels[role];
              return (
                <li key={name}>
                  <span>
                    {label} {label !== name && <span className={classes.quiet}>{name}</span>}
                  </span>
                  <span className={classes.formats}>
                    {formats.map(({ name: format, file }) => (
                      <FileLink
                        key={format}
                        label={`${label} in ${resolution}`}
                        format={format}
                        url={file.url}
                        bytes={file.size}
                      />
                    ))}
                  </span>
                </li>
              );
            })}
          </ul>
        </>
      )}
      {extras.length > 0 && (
        <>
          <h4 className={classes.subheading}>Other files</h4>
          <ul className={classes.files}>
            {extras.map(({ name, file }) => (
              <li key={file.url}>
                <span>{name}</span>
                <FileLink
                  label={name}
                  format={file.url.split('.').at(-1) ?? ''}
                  url={file.url}
                  bytes={file.size}
                />
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  );
}
