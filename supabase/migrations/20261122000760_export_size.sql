-- An exported PDF of the largest document is larger than the default limit of storage, 50 MB. The project's global limit
-- applies too: on hosted Supabase it is set in the storage settings.
update storage.buckets set file_size_limit = 2147483648 where id = 'exports';
