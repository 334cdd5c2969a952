export type Json = string | number | boolean | null | { [key: string]: Json | undefined } | Json[];

export type Database = {
  public: {
    Tables: {
      area_types: {
        Row: {
          created_at: string;
          created_by: string | null;
          id: string;
          merged_ids: string[];
          name: string;
          name_key: string;
        };
        Insert: {
          created_at?: string;
          created_by?: string | null;
          id?: string;
          merged_ids?: string[];
          name: string;
          name_key?: never;
        };
        Update: {
          created_at?: string;
          created_by?: string | null;
          id?: string;
          merged_ids?: string[];
          name?: string;
          name_key?: never;
        };
        Relationships: [];
      };
      brands: {
        Row: {
          created_at: string;
          created_by: string | null;
          id: string;
          merged_ids: string[];
          name: string;
          name_key: string;
        };
        Insert: {
          created_at?: string;
          created_by?: string | null;
          id?: string;
          merged_ids?: string[];
          name: string;
          name_key?: never;
        };
        Update: {
          created_at?: string;
          created_by?: string | null;
          id?: string;
          merged_ids?: string[];
          name?: string;
          name_key?: never;
        };
        Relationships: [];
      };
      document_images: {
        Row: {
          created_at: string;
          created_by: string | null;
          file_name: string;
          height: number;
          id: string;
          is_mask: boolean;
          mime_type: string;
          project_id: string;
          sha256: string;
          size_bytes: number;
          storage_path: string;
          svg: string | null;
          width: number;
        };
        Insert: {
          created_at?: string;
          created_by?: string | null;
          file_name: string;
          height: number;
          id?: string;
          is_mask?: boolean;
          mime_type: string;
          project_id: string;
          sha256: string;
          size_bytes: number;
          storage_path: string;
          svg?: string | null;
          width: number;
        };
        Update: {
          created_at?: string;
          created_by?: string | null;
          file_name?: string;
          height?: number;
          id?: string;
          is_mask?: boolean;
          mime_type?: string;
          project_id?: string;
          sha256?: string;
          size_bytes?: number;
          storage_path?: string;
          svg?: string | null;
          width?: number;
        };
        Relationships: [
          {
            foreignKeyName: 'document_images_project_id_fkey';
            columns: ['project_id'];
            isOneToOne: false;
            referencedRelation: 'projects';
            referencedColumns: ['id'];
          },
        ];
      };
      documents: {
        Row: {
          created_at: string;
          created_by: string | null;
          file_name: string;
          id: string;
          is_protected: boolean;
          kind: string;
          processing_status: string;
          sha256: string;
          size_bytes: number;
          storage_path: string;
          text_state: string;
        };
        Insert: {
          created_at?: string;
          created_by?: string | null;
          file_name: string;
          id?: string;
          is_protected?: boolean;
          kind: string;
          processing_status?: string;
          sha256: string;
          size_bytes: number;
          storage_path: string;
          text_state?: string;
        };
        Update: {
          created_at?: string;
          created_by?: string | null;
          file_name?: string;
          id?: string;
          is_protected?: boolean;
          kind?: string;
          processing_status?: string;
          sha256?: string;
          size_bytes?: number;
          storage_path?: string;
          text_state?: string;
        };
        Relationships: [];
      };
      export_jobs: {
        Row: {
          created_at: string;
          created_by: string | null;
          document_id: string | null;
          error: string | null;
          error_code: string | null;
          finished_at: string | null;
          id: string;
          images_done: number;
          images_total: number;
          input_sha256: string;
          options: NonNullable<Json>;
          page_count: number | null;
          pages_done: number;
          project_id: string;
          result_bytes: number | null;
          result_path: string | null;
          run: number;
          snapshot: NonNullable<Json>;
          status: string;
          status_seq: number;
          updated_at: string;
          version_id: string | null;
          warnings: NonNullable<Json>;
        };
        Insert: {
          created_at?: string;
          created_by?: string | null;
          document_id?: string | null;
          error?: string | null;
          error_code?: string | null;
          finished_at?: string | null;
          id?: string;
          images_done?: number;
          images_total?: number;
          input_sha256: string;
          options?: NonNullable<Json>;
          page_count?: number | null;
          pages_done?: number;
          project_id: string;
          result_bytes?: number | null;
          result_path?: string | null;
          run?: number;
          snapshot: NonNullable<Json>;
          status?: string;
          status_seq?: number;
          updated_at?: string;
          version_id?: string | null;
          warnings?: NonNullable<Json>;
        };
        Update: {
          created_at?: string;
          created_by?: string | null;
          document_id?: string | null;
          error?: string | null;
          error_code?: string | null;
          finished_at?: string | null;
          id?: string;
          images_done?: number;
          images_total?: number;
          input_sha256?: string;
          options?: NonNullable<Json>;
          page_count?: number | null;
          pages_done?: number;
          project_id?: string;
          result_bytes?: number | null;
          result_path?: string | null;
          run?: number;
          snapshot?: NonNullable<Json>;
          status?: string;
          status_seq?: number;
          updated_at?: string;
          version_id?: string | null;
          warnings?: NonNullable<Json>;
        };
        Relationships: [
          {
            foreignKeyName: 'export_jobs_document_id_fkey';
            columns: ['document_id'];
            isOneToOne: false;
            referencedRelation: 'project_pages';
            referencedColumns: ['id'];
          },
          {
            foreignKeyName: 'export_jobs_project_id_fkey';
            columns: ['project_id'];
            isOneToOne: false;
            referencedRelation: 'projects';
            referencedColumns: ['id'];
          },
        ];
      };
      image_jobs: {
        Row: {
          created_at: string;
          created_by: string | null;
          deadline_at: string | null;
          error: string | null;
          error_code: string | null;
          finished_at: string | null;
          id: string;
          input_image_id: string | null;
          input_image_path: string | null;
          material_ids: string[];
          material_payload: NonNullable<Json>;
          name: string | null;
          note: string | null;
          options: NonNullable<Json>;
          page_id: string | null;
          progress: number | null;
          progress_at: string | null;
          project_id: string;
          prompt: string;
          run: number;
          started_at: string | null;
          status: string;
          status_seq: number;
          swap_id: string | null;
          updated_at: string;
        };
        Insert: {
          created_at?: string;
          created_by?: string | null;
          deadline_at?: string | null;
          error?: string | null;
          error_code?: string | null;
          finished_at?: string | null;
          id?: string;
          input_image_id?: string | null;
          input_image_path?: string | null;
          material_ids?: string[];
          material_payload?: NonNullable<Json>;
          name?: string | null;
          note?: string | null;
          options?: NonNullable<Json>;
          page_id?: string | null;
          progress?: number | null;
          progress_at?: string | null;
          project_id: string;
          prompt: string;
          run?: number;
          started_at?: string | null;
          status?: string;
          status_seq?: number;
          swap_id?: string | null;
          updated_at?: string;
        };
        Update: {
          created_at?: string;
          created_by?: string | null;
          deadline_at?: string | null;
          error?: string | null;
          error_code?: string | null;
          finished_at?: string | null;
          id?: string;
          input_image_id?: string | null;
          input_image_path?: string | null;
          material_ids?: string[];
          material_payload?: NonNullable<Json>;
          name?: string | null;
          note?: string | null;
          options?: NonNullable<Json>;
          page_id?: string | null;
          progress?: number | null;
          progress_at?: string | null;
          project_id?: string;
          prompt?: string;
          run?: number;
          started_at?: string | null;
          status?: string;
          status_seq?: number;
          swap_id?: string | null;
          updated_at?: string;
        };
        Relationships: [
          {
            foreignKeyName: 'image_jobs_input_image_id_fkey';
            columns: ['input_image_id'];
            isOneToOne: false;
            referencedRelation: 'document_images';
            referencedColumns: ['id'];
          },
          {
            foreignKeyName: 'image_jobs_project_id_fkey';
            columns: ['project_id'];
            isOneToOne: false;
            referencedRelation: 'projects';
            referencedColumns: ['id'];
          },
          {
            foreignKeyName: 'image_jobs_swap_id_fkey';
            columns: ['swap_id'];
            isOneToOne: false;
            referencedRelation: 'image_swaps';
            referencedColumns: ['id'];
          },
        ];
      };
      image_messages: {
        Row: {
          created_at: string;
          created_by: string | null;
          id: string;
          job_id: string;
          mask_image_id: string | null;
          material_ids: string[] | null;
          material_payload: Json | null;
          options: Json | null;
          ordinal: number;
          prompt: string;
          role: string;
          variant_id: string | null;
          variant_run: number | null;
        };
        Insert: {
          created_at?: string;
          created_by?: string | null;
          id?: string;
          job_id: string;
          mask_image_id?: string | null;
          material_ids?: string[] | null;
          material_payload?: Json | null;
          options?: Json | null;
          ordinal: number;
          prompt: string;
          role?: string;
          variant_id?: string | null;
          variant_run?: number | null;
        };
        Update: {
          created_at?: string;
          created_by?: string | null;
          id?: string;
          job_id?: string;
          mask_image_id?: string | null;
          material_ids?: string[] | null;
          material_payload?: Json | null;
          options?: Json | null;
          ordinal?: number;
          prompt?: string;
          role?: string;
          variant_id?: string | null;
          variant_run?: number | null;
        };
        Relationships: [
          {
            foreignKeyName: 'image_messages_job_id_fkey';
            columns: ['job_id'];
            isOneToOne: false;
            referencedRelation: 'image_job_rows';
            referencedColumns: ['id'];
          },
          {
            foreignKeyName: 'image_messages_job_id_fkey';
            columns: ['job_id'];
            isOneToOne: false;
            referencedRelation: 'image_jobs';
            referencedColumns: ['id'];
          },
          {
            foreignKeyName: 'image_messages_mask_image_id_fkey';
            columns: ['mask_image_id'];
            isOneToOne: false;
            referencedRelation: 'document_images';
            referencedColumns: ['id'];
          },
        ];
      };
      image_runs: {
        Row: {
          created_at: string;
          error: string | null;
          error_code: string | null;
          finished_at: string | null;
          job_id: string;
          message_id: string;
          notes: string[];
          removed_number: number;
          run: number;
          started_at: string | null;
          status: string;
        };
        Insert: {
          created_at?: string;
          error?: string | null;
          error_code?: string | null;
          finished_at?: string | null;
          job_id: string;
          message_id: string;
          notes?: string[];
          removed_number?: number;
          run: number;
          started_at?: string | null;
          status?: string;
        };
        Update: {
          created_at?: string;
          error?: string | null;
          error_code?: string | null;
          finished_at?: string | null;
          job_id?: string;
          message_id?: string;
          notes?: string[];
          removed_number?: number;
          run?: number;
          started_at?: string | null;
          status?: string;
        };
        Relationships: [
          {
            foreignKeyName: 'image_runs_job_id_fkey';
            columns: ['job_id'];
            isOneToOne: false;
            referencedRelation: 'image_job_rows';
            referencedColumns: ['id'];
          },
          {
            foreignKeyName: 'image_runs_job_id_fkey';
            columns: ['job_id'];
            isOneToOne: false;
            referencedRelation: 'image_jobs';
            referencedColumns: ['id'];
          },
          {
            foreignKeyName: 'image_runs_message_id_fkey';
            columns: ['message_id'];
            isOneToOne: false;
            referencedRelation: 'image_messages';
            referencedColumns: ['id'];
          },
        ];
      };
      image_swaps: {
        Row: {
          created_at: string;
          created_by: string | null;
          id: string;
          place: string;
          project_id: string;
          seed: number;
          variant_id: string | null;
        };
        Insert: {
          created_at?: string;
          created_by?: string | null;
          id?: string;
          place: string;
          project_id: string;
          seed: number;
          variant_id?: string | null;
        };
        Update: {
          created_at?: string;
          created_by?: string | null;
          id?: string;
          place?: string;
          project_id?: string;
          seed?: number;
          variant_id?: string | null;
        };
        Relationships: [
          {
            foreignKeyName: 'image_swaps_project_id_fkey';
            columns: ['project_id'];
            isOneToOne: false;
            referencedRelation: 'projects';
            referencedColumns: ['id'];
          },
          {
            foreignKeyName: 'image_swaps_variant_id_fkey';
            columns: ['variant_id'];
            isOneToOne: false;
            referencedRelation: 'gallery_images';
            referencedColumns: ['id'];
          },
          {
            foreignKeyName: 'image_swaps_variant_id_fkey';
            columns: ['variant_id'];
            isOneToOne: false;
            referencedRelation: 'image_variants';
            referencedColumns: ['id'];
          },
        ];
      };
      image_variants: {
        Row: {
          created_at: string;
          deleted_at: string | null;
          height: number;
          id: string;
          job_id: string;
          meta: Json | null;
          number: number;
          path: string;
          position: number;
          project_id: string;
          run: number;
          starred_at: string | null;
          thumb_path: string | null;
          variant_id: string;
          width: number;
        };
        Insert: {
          created_at?: string;
          deleted_at?: string | null;
          height: number;
          id?: string;
          job_id: string;
          meta?: Json | null;
          number: number;
          path: string;
          position: number;
          project_id: string;
          run: number;
          starred_at?: string | null;
          thumb_path?: string | null;
          variant_id: string;
          width: number;
        };
        Update: {
          created_at?: string;
          deleted_at?: string | null;
          height?: number;
          id?: string;
          job_id?: string;
          meta?: Json | null;
          number?: number;
          path?: string;
          position?: number;
          project_id?: string;
          run?: number;
          starred_at?: string | null;
          thumb_path?: string | null;
          variant_id?: string;
          width?: number;
        };
        Relationships: [
          {
            foreignKeyName: 'image_variants_job_id_fkey';
            columns: ['job_id'];
            isOneToOne: false;
            referencedRelation: 'image_job_rows';
            referencedColumns: ['id'];
          },
          {
            foreignKeyName: 'image_variants_job_id_fkey';
            columns: ['job_id'];
            isOneToOne: false;
            referencedRelation: 'image_jobs';
            referencedColumns: ['id'];
          },
          {
            foreignKeyName: 'image_variants_job_id_run_fkey';
            columns: ['job_id', 'run'];
            isOneToOne: false;
            referencedRelation: 'image_runs';
            referencedColumns: ['job_id', 'run'];
          },
          {
            foreignKeyName: 'image_variants_project_id_fkey';
            columns: ['project_id'];
            isOneToOne: false;
            referencedRelation: 'projects';
            referencedColumns: ['id'];
          },
        ];
      };
      project_members: {
        Row: {
          created_at: string;
          project_id: string;
          role: string;
          user_id: string;
        };
        Insert: {
          created_at?: string;
          project_id: string;
          role: string;
          user_id: string;
        };
        Update: {
          created_at?: string;
          project_id?: string;
          role?: string;
          user_id?: string;
        };
        Relationships: [
          {
            foreignKeyName: 'project_members_project_id_fkey';
            columns: ['project_id'];
            isOneToOne: false;
            referencedRelation: 'projects';
            referencedColumns: ['id'];
          },
        ];
      };
      project_pages: {
        Row: {
          archived_at: string | null;
          cover: NonNullable<Json>;
          created_at: string;
          deleted_at: string | null;
          format: string;
          id: string;
          language: string;
          name: string;
          orientation: string;
          pages: NonNullable<Json>;
          project_id: string;
          settings: NonNullable<Json>;
          updated_at: string;
          updated_by: string | null;
          version: number;
        };
        Insert: {
          archived_at?: string | null;
          cover?: NonNullable<Json>;
          created_at?: string;
          deleted_at?: string | null;
          format?: string;
          id: string;
          language?: string;
          name?: string;
          orientation?: string;
          pages?: NonNullable<Json>;
          project_id: string;
          settings?: NonNullable<Json>;
          updated_at?: string;
          updated_by?: string | null;
          version?: number;
        };
        Update: {
          archived_at?: string | null;
          cover?: NonNullable<Json>;
          created_at?: string;
          deleted_at?: string | null;
          format?: string;
          id?: string;
          language?: string;
          name?: string;
          orientation?: string;
          pages?: NonNullable<Json>;
          project_id?: string;
          settings?: NonNullable<Json>;
          updated_at?: string;
          updated_by?: string | null;
          version?: number;
        };
        Relationships: [
          {
            foreignKeyName: 'project_pages_project_id_fkey';
            columns: ['project_id'];
            isOneToOne: false;
            referencedRelation: 'projects';
            referencedColumns: ['id'];
          },
        ];
      };
      projects: {
        Row: {
          archived_at: string | null;
          created_at: string;
          created_by: string | null;
          deleted_at: string | null;
          id: string;
          name: string;
        };
        Insert: {
          archived_at?: string | null;
          created_at?: string;
          created_by?: string | null;
          deleted_at?: string | null;
          id?: string;
          name: string;
        };
        Update: {
          archived_at?: string | null;
          created_at?: string;
          created_by?: string | null;
          deleted_at?: string | null;
          id?: string;
          name?: string;
        };
        Relationships: [];
      };
      spec_pages: {
        Row: {
          page: number;
          spec_id: string;
          text: string;
          words: unknown;
        };
        Insert: {
          page: number;
          spec_id: string;
          text: string;
          words?: never;
        };
        Update: {
          page?: number;
          spec_id?: string;
          text?: string;
          words?: never;
        };
        Relationships: [
          {
            foreignKeyName: 'spec_pages_spec_id_fkey';
            columns: ['spec_id'];
            isOneToOne: false;
            referencedRelation: 'spec_uploads';
            referencedColumns: ['id'];
          },
          {
            foreignKeyName: 'spec_pages_spec_id_fkey';
            columns: ['spec_id'];
            isOneToOne: false;
            referencedRelation: 'specs';
            referencedColumns: ['id'];
          },
        ];
      };
      spec_sections: {
        Row: {
          level: number;
          ordinal: number;
          page: number | null;
          source: string;
          spec_id: string;
          text: string | null;
          title: string;
        };
        Insert: {
          level?: number;
          ordinal: number;
          page?: number | null;
          source: string;
          spec_id: string;
          text?: string | null;
          title: string;
        };
        Update: {
          level?: number;
          ordinal?: number;
          page?: number | null;
          source?: string;
          spec_id?: string;
          text?: string | null;
          title?: string;
        };
        Relationships: [
          {
            foreignKeyName: 'spec_sections_spec_id_fkey';
            columns: ['spec_id'];
            isOneToOne: false;
            referencedRelation: 'spec_uploads';
            referencedColumns: ['id'];
          },
          {
            foreignKeyName: 'spec_sections_spec_id_fkey';
            columns: ['spec_id'];
            isOneToOne: false;
            referencedRelation: 'specs';
            referencedColumns: ['id'];
          },
        ];
      };
      spec_uploads: {
        Row: {
          area_type_id: string;
          brand_id: string;
          created_at: string;
          created_by: string | null;
          deadline_at: string | null;
          document_id: string;
          error: string | null;
          error_code: string | null;
          finished_at: string | null;
          id: string;
          is_current: boolean;
          note: string | null;
          processing_status: string;
          progress: number | null;
          progress_at: string | null;
          property_name: string | null;
          run: number;
          sections_count: number | null;
          series_id: string;
          sha256: string;
          started_at: string | null;
          status_seq: number;
          updated_at: string;
          version: number;
        };
        Insert: {
          area_type_id: string;
          brand_id: string;
          created_at?: string;
          created_by?: string | null;
          deadline_at?: string | null;
          document_id: string;
          error?: string | null;
          error_code?: string | null;
          finished_at?: string | null;
          id?: string;
          is_current?: boolean;
          note?: string | null;
          processing_status?: string;
          progress?: number | null;
          progress_at?: string | null;
          property_name?: string | null;
          run?: number;
          sections_count?: number | null;
          series_id?: string;
          sha256: string;
          started_at?: string | null;
          status_seq?: number;
          updated_at?: string;
          version?: number;
        };
        Update: {
          area_type_id?: string;
          brand_id?: string;
          created_at?: string;
          created_by?: string | null;
          deadline_at?: string | null;
          document_id?: string;
          error?: string | null;
          error_code?: string | null;
          finished_at?: string | null;
          id?: string;
          is_current?: boolean;
          note?: string | null;
          processing_status?: string;
          progress?: number | null;
          progress_at?: string | null;
          property_name?: string | null;
          run?: number;
          sections_count?: number | null;
          series_id?: string;
          sha256?: string;
          started_at?: string | null;
          status_seq?: number;
          updated_at?: string;
          version?: number;
        };
        Relationships: [
          {
            foreignKeyName: 'spec_uploads_area_type_id_fkey';
            columns: ['area_type_id'];
            isOneToOne: false;
            referencedRelation: 'area_types';
            referencedColumns: ['id'];
          },
          {
            foreignKeyName: 'spec_uploads_brand_id_fkey';
            columns: ['brand_id'];
            isOneToOne: false;
            referencedRelation: 'brands';
            referencedColumns: ['id'];
          },
          {
            foreignKeyName: 'spec_uploads_document_id_fkey';
            columns: ['document_id'];
            isOneToOne: true;
            referencedRelation: 'documents';
            referencedColumns: ['id'];
          },
        ];
      };
      upload_jobs: {
        Row: {
          area: string;
          brand_name: string;
          created_at: string;
          error: string | null;
          finished_at: string | null;
          id: string;
          property_name: string | null;
          run: number;
          spec_upload_id: string;
          status: string;
        };
        Insert: {
          area: string;
          brand_name: string;
          created_at?: string;
          error?: string | null;
          finished_at?: string | null;
          id?: string;
          property_name?: string | null;
          run: number;
          spec_upload_id: string;
          status?: string;
        };
        Update: {
          area?: string;
          brand_name?: string;
          created_at?: string;
          error?: string | null;
          finished_at?: string | null;
          id?: string;
          property_name?: string | null;
          run?: number;
          spec_upload_id?: string;
          status?: string;
        };
        Relationships: [
          {
            foreignKeyName: 'upload_jobs_spec_upload_id_fkey';
            columns: ['spec_upload_id'];
            isOneToOne: false;
            referencedRelation: 'spec_uploads';
            referencedColumns: ['id'];
          },
          {
            foreignKeyName: 'upload_jobs_spec_upload_id_fkey';
            columns: ['spec_upload_id'];
            isOneToOne: false;
            referencedRelation: 'specs';
            referencedColumns: ['id'];
          },
        ];
      };
    };
    Views: {
      gallery_images: {
        Row: {
          created_at: string;
          created_by: string | null;
          deleted_at: string | null;
          height: number;
          id: string;
          job_id: string;
          meta: Json | null;
          number: number;
          ordinal: number;
          path: string;
          project_id: string;
          prompt: string;
          run: number;
          starred_at: string | null;
          thumb_path: string | null;
          variant_id: string;
          width: number;
        };
        Insert: {
          created_at?: string | null;
          created_by?: string | null;
          deleted_at?: string | null;
          height?: number | null;
          id?: string | null;
          job_id?: string | null;
          meta?: Json | null;
          number?: number | null;
          ordinal?: number | null;
          path?: string | null;
          project_id?: string | null;
          prompt?: string | null;
          run?: number | null;
          starred_at?: string | null;
          thumb_path?: string | null;
          variant_id?: string | null;
          width?: number | null;
        };
        Update: {
          created_at?: string | null;
          created_by?: string | null;
          deleted_at?: string | null;
          height?: number | null;
          id?: string | null;
          job_id?: string | null;
          meta?: Json | null;
          number?: number | null;
          ordinal?: number | null;
          path?: string | null;
          project_id?: string | null;
          prompt?: string | null;
          run?: number | null;
          starred_at?: string | null;
          thumb_path?: string | null;
          variant_id?: string | null;
          width?: number | null;
        };
        Relationships: [
          {
            foreignKeyName: 'image_variants_job_id_fkey';
            columns: ['job_id'];
            isOneToOne: false;
            referencedRelation: 'image_job_rows';
            referencedColumns: ['id'];
          },
          {
            foreignKeyName: 'image_variants_job_id_fkey';
            columns: ['job_id'];
            isOneToOne: false;
            referencedRelation: 'image_jobs';
            referencedColumns: ['id'];
          },
          {
            foreignKeyName: 'image_variants_job_id_run_fkey';
            columns: ['job_id', 'run'];
            isOneToOne: false;
            referencedRelation: 'image_runs';
            referencedColumns: ['job_id', 'run'];
          },
          {
            foreignKeyName: 'image_variants_project_id_fkey';
            columns: ['project_id'];
            isOneToOne: false;
            referencedRelation: 'projects';
            referencedColumns: ['id'];
          },
        ];
      };
      image_job_rows: {
        Row: {
          cover: Json | null;
          created_at: string;
          created_by: string | null;
          deadline_at: string | null;
          error: string | null;
          error_code: string | null;
          finished_at: string | null;
          id: string;
          input_image_id: string | null;
          input_image_path: string | null;
          material_ids: string[];
          material_payload: NonNullable<Json>;
          name: string | null;
          note: string | null;
          options: NonNullable<Json>;
          page_id: string | null;
          progress: number | null;
          progress_at: string | null;
          project_id: string;
          prompt: string;
          retrying: Json | null;
          run: number;
          started_at: string | null;
          status: string;
          status_seq: number;
          swap_id: string | null;
          swap_place: string | null;
          updated_at: string;
        };
        Insert: {
          cover?: never;
          created_at?: string | null;
          created_by?: string | null;
          deadline_at?: string | null;
          error?: string | null;
          error_code?: string | null;
          finished_at?: string | null;
          id?: string | null;
          input_image_id?: string | null;
          input_image_path?: string | null;
          material_ids?: string[] | null;
          material_payload?: Json | null;
          name?: string | null;
          note?: string | null;
          options?: Json | null;
          page_id?: string | null;
          progress?: number | null;
          progress_at?: string | null;
          project_id?: string | null;
          prompt?: string | null;
          retrying?: never;
          run?: number | null;
          started_at?: string | null;
          status?: string | null;
          status_seq?: number | null;
          swap_id?: string | null;
          swap_place?: never;
          updated_at?: string | null;
        };
        Update: {
          cover?: never;
          created_at?: string | null;
          created_by?: string | null;
          deadline_at?: string | null;
          error?: string | null;
          error_code?: string | null;
          finished_at?: string | null;
          id?: string | null;
          input_image_id?: string | null;
          input_image_path?: string | null;
          material_ids?: string[] | null;
          material_payload?: Json | null;
          name?: string | null;
          note?: string | null;
          options?: Json | null;
          page_id?: string | null;
          progress?: number | null;
          progress_at?: string | null;
          project_id?: string | null;
          prompt?: string | null;
          retrying?: never;
          run?: number | null;
          started_at?: string | null;
          status?: string | null;
          status_seq?: number | null;
          swap_id?: string | null;
          swap_place?: never;
          updated_at?: string | null;
        };
        Relationships: [
          {
            foreignKeyName: 'image_jobs_input_image_id_fkey';
            columns: ['input_image_id'];
            isOneToOne: false;
            referencedRelation: 'document_images';
            referencedColumns: ['id'];
          },
          {
            foreignKeyName: 'image_jobs_project_id_fkey';
            columns: ['project_id'];
            isOneToOne: false;
            referencedRelation: 'projects';
            referencedColumns: ['id'];
          },
          {
            foreignKeyName: 'image_jobs_swap_id_fkey';
            columns: ['swap_id'];
            isOneToOne: false;
            referencedRelation: 'image_swaps';
            referencedColumns: ['id'];
          },
        ];
      };
      specs: {
        Row: {
          area: string;
          brand_name: string;
          created_at: string;
          created_by: string | null;
          deadline_at: string | null;
          document_id: string;
          error: string | null;
          error_code: string | null;
          file_name: string;
          id: string;
          is_current: boolean;
          is_protected: boolean;
          note: string | null;
          processing_status: string;
          progress: number | null;
          progress_at: string | null;
          property_name: string | null;
          run: number;
          sections_count: number | null;
          series_id: string;
          sha256: string;
          size_bytes: number;
          started_at: string | null;
          status_seq: number;
          storage_path: string;
          updated_at: string;
          version: number;
        };
        Insert: {
          area?: string | null;
          brand_name?: string | null;
          created_at?: string | null;
          created_by?: string | null;
          deadline_at?: string | null;
          document_id?: string | null;
          error?: string | null;
          error_code?: string | null;
          file_name?: string | null;
          id?: string | null;
          is_current?: boolean | null;
          is_protected?: boolean | null;
          note?: string | null;
          processing_status?: string | null;
          progress?: number | null;
          progress_at?: string | null;
          property_name?: string | null;
          run?: number | null;
          sections_count?: number | null;
          series_id?: string | null;
          sha256?: string | null;
          size_bytes?: number | null;
          started_at?: string | null;
          status_seq?: number | null;
          storage_path?: string | null;
          updated_at?: string | null;
          version?: number | null;
        };
        Update: {
          area?: string | null;
          brand_name?: string | null;
          created_at?: string | null;
          created_by?: string | null;
          deadline_at?: string | null;
          document_id?: string | null;
          error?: string | null;
          error_code?: string | null;
          file_name?: string | null;
          id?: string | null;
          is_current?: boolean | null;
          is_protected?: boolean | null;
          note?: string | null;
          processing_status?: string | null;
          progress?: number | null;
          progress_at?: string | null;
          property_name?: string | null;
          run?: number | null;
          sections_count?: number | null;
          series_id?: string | null;
          sha256?: string | null;
          size_bytes?: number | null;
          started_at?: string | null;
          status_seq?: number | null;
          storage_path?: string | null;
          updated_at?: string | null;
          version?: number | null;
        };
        Relationships: [
          {
            foreignKeyName: 'spec_uploads_document_id_fkey';
            columns: ['document_id'];
            isOneToOne: true;
            referencedRelation: 'documents';
            referencedColumns: ['id'];
          },
        ];
      };
    };
    Functions: {
      account_link: { Args: { p_key: string }; Returns: Json };
      account_mail_done: { Args: { p_id: number; p_token: string }; Returns: boolean };
      account_mail_to_send: { Args: { p_key: string; p_mail: string }; Returns: Json };
      account_state: {
        Args: { p_session: string; p_user: string };
        Returns: {
          is_active: boolean;
          is_admin: boolean;
        }[];
      };
      add_image_outputs: { Args: { p_id: string; p_outputs: Json; p_run: number }; Returns: Json };
      add_project_font: {
        Args: {
          p_bold: boolean;
          p_bytes: string;
          p_file_name: string;
          p_italic: boolean;
          p_name: string;
          p_project: string;
          p_user: string;
        };
        Returns: Json;
      };
      add_workflow_test_step: { Args: { p_id: string; p_source: string; p_step: Json }; Returns: boolean };
      apply_image_callback: {
        Args: {
          p_error?: string;
          p_id: string;
          p_notes?: string[];
          p_outputs?: Json;
          p_paths?: string[];
          p_run?: number;
          p_status: string;
        };
        Returns: Json;
      };
      apply_spec_callback: {
        Args: {
          p_error?: string;
          p_id: string;
          p_run?: number;
          p_sections?: Json;
          p_sections_count?: number;
          p_status: string;
        };
        Returns: Json;
      };
      archive_document: {
        Args: { p_archived: boolean; p_document: string; p_project: string };
        Returns: boolean;
      };
      archive_project: { Args: { p_archived: boolean; p_project: string }; Returns: boolean };
      audit_actors: {
        Args: Record<PropertyKey, never>;
        Returns: {
          id: string;
          label: string;
        }[];
      };
      audit_events: {
        Args: {
          p_action?: string;
          p_actor?: string;
          p_before?: string;
          p_before_id?: string;
          p_from?: string;
          p_limit?: number;
          p_to?: string;
        };
        Returns: {
          action: string;
          actor: string;
          actor_id: string;
          created_at: string;
          details: string;
          id: string;
          request_id: string;
          subject: string;
          subject_id: string;
        }[];
      };
      cancel_export_job: { Args: { p_job: string }; Returns: Json };
      cancel_image_job: { Args: { p_job: string }; Returns: Json };
      catalogue: { Args: Record<PropertyKey, never>; Returns: Json };
      change_account: {
        Args: { p_account: string; p_actor: string; p_is_admin?: boolean; p_is_disabled?: boolean };
        Returns: Json;
      };
      claim_account_link: { Args: { p_key: string }; Returns: string };
      clock_ms: { Args: Record<PropertyKey, never>; Returns: number };
      create_access_token: {
        Args: {
          p_account: string;
          p_days: number;
          p_hint: string;
          p_is_service: boolean;
          p_key: string;
          p_name: string;
          p_role: string;
          p_user: string;
        };
        Returns: Json;
      };
      create_account_link: { Args: { p_account: string; p_key?: string }; Returns: Json };
      create_document: {
        Args: {
          p_copy_of?: string;
          p_cover: Json;
          p_document: string;
          p_format: string;
          p_idempotency_key?: string;
          p_language: string;
          p_name: string;
          p_orientation: string;
          p_project: string;
          p_request_sha256?: string;
          p_settings: Json;
          p_user: string;
        };
        Returns: Json;
      };
      create_event_endpoint: {
        Args: {
          p_events: string[];
          p_header_name?: string;
          p_header_value?: string;
          p_max: number;
          p_name: string;
          p_secret: string;
          p_url: string;
        };
        Returns: Json;
      };
      create_export_job: {
        Args: {
          p_document?: string;
          p_idempotency_key?: string;
          p_input_sha256: string;
          p_options: Json;
          p_project: string;
          p_request_sha256?: string;
          p_snapshot: Json;
          p_user: string;
        };
        Returns: Json;
      };
      create_image_download: { Args: { p_ids: string[]; p_project: string; p_user: string }; Returns: Json };
      create_image_job: {
        Args: {
          p_idempotency_key?: string;
          p_input_image_id?: string;
          p_input_image_path?: string;
          p_material_ids?: string[];
          p_material_payload?: Json;
          p_options?: Json;
          p_page_id?: string;
          p_project: string;
          p_prompt: string;
          p_request_sha256?: string;
          p_user: string;
        };
        Returns: Json;
      };
      create_image_swap: {
        Args: {
          p_idempotency_key?: string;
          p_jobs: Json;
          p_mask_image_id?: string;
          p_options: Json;
          p_place: string;
          p_project: string;
          p_random_seed: number;
          p_request_sha256?: string;
          p_user: string;
          p_variant: string;
        };
        Returns: Json;
      };
      create_in_list: {
        Args: {
          p_idempotency_key?: string;
          p_list: string;
          p_name: string;
          p_request_sha256?: string;
          p_user: string;
        };
        Returns: Json;
      };
      create_page_template: {
        Args: {
          p_content: Json;
          p_idempotency_key?: string;
          p_name: string;
          p_project: string;
          p_request_sha256?: string;
          p_user: string;
        };
        Returns: Json;
      };
      create_project: {
        Args: { p_idempotency_key?: string; p_name: string; p_request_sha256?: string; p_user: string };
        Returns: Json;
      };
      create_project_image: {
        Args: {
          p_file_name: string;
          p_height: number;
          p_id: string;
          p_idempotency_key?: string;
          p_mime_type: string;
          p_project: string;
          p_request_sha256?: string;
          p_reuse?: boolean;
          p_sha256: string;
          p_size_bytes: number;
          p_storage_path: string;
          p_svg?: string;
          p_user: string;
          p_width: number;
        };
        Returns: Json;
      };
      create_share_link: {
        Args: {
          p_allow_download: boolean;
          p_days: number;
          p_document?: string;
          p_image_ids: string[];
          p_key: string;
          p_kind: string;
          p_name: string;
          p_project: string;
          p_show_prompts: boolean;
          p_user: string;
        };
        Returns: Json;
      };
      create_spec_download: { Args: { p_ids: string[]; p_max_bytes: number; p_user: string }; Returns: Json };
      create_spec_upload: {
        Args: {
          p_area: string;
          p_brand: string;
          p_file_name: string;
          p_id: string;
          p_idempotency_key?: string;
          p_is_protected?: boolean;
          p_keep_duplicate?: boolean;
          p_property_name?: string;
          p_replaces?: string;
          p_request_sha256?: string;
          p_sha256: string;
          p_size_bytes: number;
          p_storage_path: string;
          p_user: string;
        };
        Returns: Json;
      };
      create_workflow_test: { Args: { p_source: string }; Returns: string };
      delete_document: { Args: { p_document: string; p_project: string }; Returns: boolean };
      delete_event_endpoint: { Args: { p_id: string }; Returns: boolean };
      delete_images: { Args: { p_ids: string[]; p_project: string }; Returns: Json };
      delete_in_list: { Args: { p_list: string; p_name: string }; Returns: string };
      delete_page_template: { Args: { p_id: string; p_user?: string }; Returns: Json };
      delete_project: { Args: { p_project: string }; Returns: boolean };
      delete_specs: { Args: { p_ids: string[] }; Returns: string[] };
      edit_specs: {
        Args: {
          p_area?: string;
          p_brand?: string;
          p_clear_property?: boolean;
          p_ids: string[];
          p_property?: string;
        };
        Returns: Json;
      };
      event_delivered: { Args: { p_id: number; p_token: string }; Returns: boolean };
      event_deliveries: {
        Args: {
          p_before?: string;
          p_before_id?: string;
          p_endpoint?: string;
          p_limit?: number;
          p_trouble?: boolean;
        };
        Returns: {
          attempts: number;
          can_send_again: boolean;
          created_at: string;
          endpoint_id: string;
          endpoint_name: string;
          event_id: string;
          finished_at: string;
          id: string;
          label: string;
          next_attempt_at: string;
          reason: string;
          state: string;
          subject_id: string;
          subject_run: number;
          type: string;
        }[];
      };
      event_endpoints: {
        Args: Record<PropertyKey, never>;
        Returns: {
          created_at: string;
          events: string[];
          failing_since: string;
          header_name: string;
          id: string;
          last_error: string;
          name: string;
          paused_at: string;
          url: string;
        }[];
      };
      event_held: { Args: { p_id: number; p_token: string }; Returns: boolean };
      event_to_send: { Args: { p_delivery: string; p_run: number }; Returns: Json };
      export_finished: {
        Args: {
          p_bytes: number;
          p_id: number;
          p_page_count: number;
          p_path: string;
          p_token: string;
          p_warnings?: Json;
        };
        Returns: boolean;
      };
      export_progress: {
        Args: {
          p_id: number;
          p_images_done?: number;
          p_images_total?: number;
          p_pages_done: number;
          p_token: string;
        };
        Returns: boolean;
      };
      find_brand: { Args: { p_name: string }; Returns: string };
      find_project_image: {
        Args: { p_idempotency_key: string; p_request_sha256: string; p_user: string };
        Returns: Json;
      };
      find_specs: {
        Args: {
          p_after_at?: string;
          p_after_id?: string;
          p_after_key?: string;
          p_all_versions?: boolean;
          p_area?: string;
          p_before?: string;
          p_brand?: string;
          p_from?: string;
          p_is_only_ids?: boolean;
          p_limit?: number;
          p_q?: string;
          p_sort?: string;
          p_status?: string;
        };
        Returns: Json;
      };
      find_standards: {
        Args: {
          p_after_at?: string;
          p_after_id?: string;
          p_after_key?: string;
          p_brand?: string;
          p_limit?: number;
          p_q?: string;
        };
        Returns: {
          area: string;
          brand_name: string;
          created_at: string;
          file_name: string;
          id: string;
          sections: number;
          sort_key: string;
          version: number;
        }[];
      };
      finish_account_link: { Args: { p_key: string; p_name?: string }; Returns: undefined };
      finish_spec_text: {
        Args: { p_id: number; p_pages: number; p_sections: Json; p_state: string; p_token: string };
        Returns: boolean;
      };
      forget_audit_events: { Args: { p_limit: number }; Returns: number };
      forget_old_rows: {
        Args: {
          p_exports_s: number;
          p_idempotency_s: number;
          p_limit: number;
          p_rate_s: number;
          p_work_s: number;
        };
        Returns: number;
      };
      gallery_materials: {
        Args: { p_limit: number; p_project: string };
        Returns: {
          id: string;
          name: string;
        }[];
      };
      held_callback: {
        Args: { p_id: string };
        Returns: {
          reason: string;
          run: number;
          source: string;
          status: string;
          subject_id: string;
        }[];
      };
      image_download: {
        Args: { p_id: string; p_project: string; p_user: string };
        Returns: {
          created_at: string;
          email: string;
          height: number;
          meta: Json;
          number: number;
          ordinal: number;
          path: string;
          prompt: string;
          width: number;
        }[];
      };
      image_origins: {
        Args: { p_paths: string[]; p_project: string };
        Returns: {
          path: string;
          prompt: string;
          seed: string;
        }[];
      };
      import_names: { Args: { p_list: string; p_names: string[]; p_user: string }; Returns: Json };
      keep_document_version: {
        Args: { p_document?: string; p_name?: string; p_project: string; p_version: number };
        Returns: Json;
      };
      list_access_tokens: {
        Args: {
          p_account?: string;
          p_before?: string;
          p_before_id?: string;
          p_created_by?: string;
          p_is_service?: boolean;
          p_limit?: number;
          p_only_valid?: boolean;
        };
        Returns: {
          created_at: string;
          created_by_email: string;
          expires_at: string;
          hint: string;
          id: string;
          is_service: boolean;
          last_used_at: string;
          name: string;
          owner_email: string;
          role: string;
        }[];
      };
      list_deleted_projects: {
        Args: { p_before?: string; p_before_id?: string; p_limit: number; p_within_s: number };
        Returns: {
          archived_at: string;
          created_at: string;
          deleted_at: string;
          id: string;
          name: string;
        }[];
      };
      list_document_versions: {
        Args: {
          p_before?: string;
          p_before_id?: string;
          p_document?: string;
          p_limit: number;
          p_project: string;
        };
        Returns: {
          added: number;
          changed: number;
          created_at: string;
          id: string;
          name: string;
          page_count: number;
          printed: boolean;
          removed: number;
          saved_by: string;
          settings_changed: boolean;
          version: number;
        }[];
      };
      list_gallery: {
        Args: {
          p_before?: string;
          p_before_id?: string;
          p_created_by?: string;
          p_deleted: boolean;
          p_deleted_within_s: number;
          p_from?: string;
          p_limit: number;
          p_material?: string;
          p_project: string;
          p_starred: boolean;
          p_to?: string;
          p_words?: string[];
        };
        Returns: {
          created_at: string;
          created_by: string | null;
          deleted_at: string | null;
          height: number;
          id: string;
          job_id: string;
          meta: Json | null;
          number: number;
          ordinal: number;
          path: string;
          project_id: string;
          prompt: string;
          run: number;
          starred_at: string | null;
          thumb_path: string | null;
          variant_id: string;
          width: number;
        }[];
        SetofOptions: {
          from: '*';
          to: 'gallery_images';
          isOneToOne: false;
          isSetofReturn: true;
        };
      };
      list_page_templates: {
        Args: { p_before?: string; p_before_id?: string; p_limit: number };
        Returns: {
          created_at: string;
          created_by: string;
          id: string;
          name: string;
          page_count: number;
        }[];
      };
      list_people: {
        Args: {
          p_account?: string;
          p_before?: string;
          p_before_id?: string;
          p_limit?: number;
          p_query?: string;
          p_state?: string;
        };
        Returns: {
          created_at: string;
          email: string;
          id: string;
          is_admin: boolean;
          last_seen_at: string;
          mail_reason: string;
          mail_state: string;
          name: string;
          picture_version: string;
          state: string;
        }[];
      };
      list_project_fonts: {
        Args: { p_project: string };
        Returns: {
          bold: boolean;
          created_at: string;
          file_name: string;
          id: string;
          italic: boolean;
          name: string;
        }[];
      };
      list_project_members: {
        Args: { p_project: string };
        Returns: {
          created_at: string;
          email: string;
          role: string;
          user_id: string;
        }[];
      };
      list_share_links: {
        Args: { p_project: string };
        Returns: {
          allow_download: boolean;
          created_at: string;
          created_by_email: string;
          document_id: string;
          expires_at: string;
          id: string;
          image_count: number;
          kind: string;
          last_opened_at: string;
          name: string;
          opened_count: number;
          show_prompts: boolean;
        }[];
      };
      list_shared_images: {
        Args: { p_before?: string; p_before_id?: string; p_key: string; p_limit: number };
        Returns: {
          created_at: string;
          height: number;
          id: string;
          prompt: string;
          width: number;
        }[];
      };
      match_specs: {
        Args: { p_files: Json };
        Returns: {
          file_name: string;
          id: string;
          n: number;
          version: number;
        }[];
      };
      merge_in_list: { Args: { p_into: string; p_list: string; p_name: string }; Returns: Json };
      name_document_version: {
        Args: { p_document?: string; p_id: string; p_name?: string; p_project: string };
        Returns: Json;
      };
      note_refused_callback: {
        Args: {
          p_code: string;
          p_detail: string;
          p_run?: number;
          p_source: string;
          p_subject?: string;
          p_times?: number;
        };
        Returns: undefined;
      };
      open_share_link: {
        Args: { p_count: boolean; p_key: string };
        Returns: {
          allow_download: boolean;
          document_id: string;
          id: string;
          kind: string;
          project_id: string;
          project_name: string;
          show_prompts: boolean;
        }[];
      };
      profile_picture: { Args: { p_account: string }; Returns: string };
      profiles: {
        Args: { p_accounts: string[] };
        Returns: {
          name: string;
          picture_version: string;
          user_id: string;
        }[];
      };
      project_access: {
        Args: {
          p_deleted_within_s?: number;
          p_export_job?: string;
          p_image_job?: string;
          p_project?: string;
        };
        Returns: {
          project_id: string;
          role: string;
        }[];
      };
      project_cards: {
        Args: { p_images: number; p_people: number; p_projects: string[] };
        Returns: {
          active_at: string;
          images: Json;
          people: Json;
          people_count: number;
          project_id: string;
        }[];
      };
      project_image_drawings: {
        Args: { p_paths: string[]; p_project: string };
        Returns: {
          path: string;
          svg: string;
        }[];
      };
      project_image_files: {
        Args: { p_ids?: string[]; p_paths?: string[]; p_project: string };
        Returns: {
          height: number;
          key: string;
          path: string;
          width: number;
        }[];
      };
      rate_take: {
        Args: { p_burst: number; p_count?: number; p_interval_ms: number; p_key: string };
        Returns: number;
      };
      read_document_version: {
        Args: { p_document?: string; p_id: string; p_project: string };
        Returns: {
          cover: Json;
          format: string;
          language: string;
          orientation: string;
          pages: Json;
          settings: Json;
          version: number;
        }[];
      };
      read_page_template: {
        Args: { p_id: string };
        Returns: {
          content: Json;
          created_at: string;
          created_by: string;
          id: string;
          name: string;
          page_count: number;
        }[];
      };
      read_project_fonts: {
        Args: { p_ids: string[]; p_project: string };
        Returns: {
          bytes: string;
          id: string;
        }[];
      };
      read_spec: { Args: { p_id: string }; Returns: Json };
      read_spec_sections: { Args: { p_id: string }; Returns: Json };
      read_standard: { Args: { p_after: number; p_id: string; p_limit: number }; Returns: Json };
      refused_callbacks: {
        Args: { p_before?: string; p_before_id?: string; p_limit?: number };
        Returns: {
          code: string;
          created_at: string;
          detail: string;
          id: string;
          last_at: string;
          source: string;
          subject_id: string;
          times: number;
        }[];
      };
      release_account_link: { Args: { p_key: string }; Returns: undefined };
      remove_deleted_documents: { Args: { p_age_s: number; p_limit: number }; Returns: number };
      remove_deleted_images: { Args: { p_age_s: number; p_limit: number }; Returns: number };
      remove_deleted_projects: { Args: { p_age_s: number; p_limit: number }; Returns: number };
      remove_ended_shares: { Args: { p_age_s: number; p_limit: number }; Returns: number };
      remove_project_font: { Args: { p_id: string; p_project: string }; Returns: boolean };
      remove_project_member: { Args: { p_project: string; p_user: string }; Returns: Json };
      rename_document: { Args: { p_document: string; p_name: string; p_project: string }; Returns: boolean };
      rename_image_job: { Args: { p_job: string; p_name?: string }; Returns: Json };
      rename_in_list: { Args: { p_list: string; p_name: string; p_new_name: string }; Returns: Json };
      rename_page_template: { Args: { p_id: string; p_name: string; p_user?: string }; Returns: Json };
      rename_project: { Args: { p_name: string; p_project: string }; Returns: boolean };
      report_image_progress: {
        Args: {
          p_deadline_s: number;
          p_execution?: string;
          p_id: string;
          p_limit_s: number;
          p_note?: string;
          p_paths?: string[];
          p_progress?: number;
          p_run?: number;
        };
        Returns: Json;
      };
      report_spec_progress: {
        Args: {
          p_deadline_s: number;
          p_execution?: string;
          p_id: string;
          p_limit_s: number;
          p_note?: string;
          p_progress?: number;
          p_run?: number;
        };
        Returns: Json;
      };
      request_password_reset: { Args: { p_email: string }; Returns: undefined };
      resend_event_delivery: { Args: { p_id: string }; Returns: string };
      restore_document: {
        Args: { p_document: string; p_project: string; p_within_s: number };
        Returns: Json;
      };
      restore_images: { Args: { p_ids: string[]; p_project: string; p_within_s: number }; Returns: Json };
      restore_project: { Args: { p_project: string; p_within_s: number }; Returns: boolean };
      restore_spec_sections: { Args: { p_id: string; p_version: number }; Returns: Json };
      resume_event_endpoint: { Args: { p_id: string }; Returns: number };
      retry_image_job: { Args: { p_job: string }; Returns: Json };
      retry_spec: { Args: { p_again?: boolean; p_id: string; p_user?: string }; Returns: Json };
      retry_specs: { Args: { p_ids: string[]; p_user: string }; Returns: number };
      revoke_access_token: { Args: { p_account?: string; p_id: string }; Returns: boolean };
      revoke_share_link: { Args: { p_id: string; p_project: string }; Returns: boolean };
      save_project_pages: {
        Args: {
          p_cover: Json;
          p_document?: string;
          p_format: string;
          p_language: string;
          p_orientation: string;
          p_pages: Json;
          p_project: string;
          p_settings: Json;
          p_user: string;
          p_version: number;
        };
        Returns: Json;
      };
      save_spec_sections: { Args: { p_id: string; p_sections: Json; p_version: number }; Returns: Json };
      send_image_message: {
        Args: {
          p_idempotency_key?: string;
          p_job: string;
          p_mask_image_id?: string;
          p_material_ids?: string[];
          p_material_payload?: Json;
          p_options?: Json;
          p_prompt: string;
          p_request_sha256?: string;
          p_user: string;
          p_variant_id?: string;
        };
        Returns: Json;
      };
      set_profile_name: { Args: { p_account: string; p_name?: string }; Returns: undefined };
      set_profile_picture: { Args: { p_account: string; p_picture?: string }; Returns: string };
      set_project_member: { Args: { p_email: string; p_project: string; p_role: string }; Returns: Json };
      shared_image: {
        Args: { p_image: string; p_key: string };
        Returns: {
          allow_download: boolean;
          number: number;
          ordinal: number;
          path: string;
          project_name: string;
          thumb_path: string;
        }[];
      };
      spec_download: {
        Args: { p_id: string; p_user: string };
        Returns: {
          area: string;
          brand: string;
          created_at: string;
          file_name: string;
          path: string;
          property: string;
        }[];
      };
      star_images: { Args: { p_ids: string[]; p_project: string; p_starred: boolean }; Returns: Json };
      stop_spec: { Args: { p_id: string }; Returns: Json };
      store_spec_pages: { Args: { p_id: number; p_pages: Json; p_token: string }; Returns: boolean };
      swap_covers: {
        Args: { p_swap: string };
        Returns: {
          cover: Json;
          job_id: string;
        }[];
      };
      sweep_orphans: {
        Args: { p_checks: number; p_limit: number; p_min_age_s: number; p_min_output_age_s: number };
        Returns: Json;
      };
      template_images: { Args: { p_paths: string[] }; Returns: string[] };
      trigger_accepted: { Args: { p_acknowledged: boolean; p_url_hash: string }; Returns: boolean };
      update_event_endpoint: {
        Args: {
          p_events: string[];
          p_header_name?: string;
          p_header_value?: string;
          p_id: string;
          p_name: string;
        };
        Returns: string;
      };
      use_access_token: {
        Args: { p_key: string };
        Returns: {
          account_id: string;
          email: string;
          is_admin: boolean;
          is_service: boolean;
          role: string;
        }[];
      };
      work_claim: {
        Args: { p_kinds: string[]; p_lease_s?: number; p_limit?: number; p_worker: string };
        Returns: {
          attempts: number;
          id: number;
          kind: string;
          lease_token: string;
          max_attempts: number;
          request_id: string;
          run: number;
          subject_id: string;
        }[];
      };
      work_depth: {
        Args: Record<PropertyKey, never>;
        Returns: {
          kind: string;
          oldest_due_s: number;
          pending: number;
        }[];
      };
      work_dispatched: { Args: { p_deadline: string; p_id: number; p_token: string }; Returns: boolean };
      work_failed: {
        Args: {
          p_code: string;
          p_detail?: string;
          p_error: string;
          p_id: number;
          p_retry_after_s?: number;
          p_retryable: boolean;
          p_token: string;
        };
        Returns: string;
      };
      work_heartbeat: { Args: { p_id: number; p_lease_s?: number; p_token: string }; Returns: boolean };
      work_reap: { Args: { p_limit?: number }; Returns: Json };
      work_release: { Args: { p_id: number; p_token: string }; Returns: boolean };
      workflow_events: {
        Args: {
          p_before?: string;
          p_before_id?: string;
          p_direction?: string;
          p_limit?: number;
          p_source?: string;
          p_subject?: string;
          p_trouble?: boolean;
        };
        Returns: {
          attempt: number;
          created_at: string;
          direction: string;
          id: string;
          label: string;
          outcome: string;
          project_id: string;
          reason: string;
          run: number;
          source: string;
          status: string;
          subject_id: string;
          subject_run: number;
          subject_status: string;
        }[];
      };
      workflow_test: {
        Args: { p_id: string };
        Returns: {
          created_at: string;
          id: string;
          source: string;
          steps: Json;
        }[];
      };
    };
    Enums: {
      [_ in never]: never;
    };
    CompositeTypes: {
      [_ in never]: never;
    };
  };
};

type DatabaseWithoutInternals = Omit<Database, '__InternalSupabase'>;

type DefaultSchema = DatabaseWithoutInternals[Extract<keyof Database, 'public'>];

export type Tables<
  DefaultSchemaTableNameOrOptions extends
    | keyof (DefaultSchema['Tables'] & DefaultSchema['Views'])
    | { schema: keyof DatabaseWithoutInternals },
  TableName extends DefaultSchemaTableNameOrOptions extends {
    schema: keyof DatabaseWithoutInternals;
  }
    ? keyof (DatabaseWithoutInternals[DefaultSchemaTableNameOrOptions['schema']]['Tables'] &
        DatabaseWithoutInternals[DefaultSchemaTableNameOrOptions['schema']]['Views'])
    : never = never,
> = DefaultSchemaTableNameOrOptions extends { schema: keyof DatabaseWithoutInternals }
  ? (DatabaseWithoutInternals[DefaultSchemaTableNameOrOptions['schema']]['Tables'] &
      DatabaseWithoutInternals[DefaultSchemaTableNameOrOptions['schema']]['Views'])[TableName] extends {
      Row: infer R;
    }
    ? R
    : never
  : DefaultSchemaTableNameOrOptions extends keyof (DefaultSchema['Tables'] & DefaultSchema['Views'])
    ? (DefaultSchema['Tables'] & DefaultSchema['Views'])[DefaultSchemaTableNameOrOptions] extends {
        Row: infer R;
      }
      ? R
      : never
    : never;

export type TablesInsert<
  DefaultSchemaTableNameOrOptions extends
    | keyof DefaultSchema['Tables']
    | { schema: keyof DatabaseWithoutInternals },
  TableName extends DefaultSchemaTableNameOrOptions extends {
    schema: keyof DatabaseWithoutInternals;
  }
    ? keyof DatabaseWithoutInternals[DefaultSchemaTableNameOrOptions['schema']]['Tables']
    : never = never,
> = DefaultSchemaTableNameOrOptions extends { schema: keyof DatabaseWithoutInternals }
  ? DatabaseWithoutInternals[DefaultSchemaTableNameOrOptions['schema']]['Tables'][TableName] extends {
      Insert: infer I;
    }
    ? I
    : never
  : DefaultSchemaTableNameOrOptions extends keyof DefaultSchema['Tables']
    ? DefaultSchema['Tables'][DefaultSchemaTableNameOrOptions] extends {
        Insert: infer I;
      }
      ? I
      : never
    : never;

export type TablesUpdate<
  DefaultSchemaTableNameOrOptions extends
    | keyof DefaultSchema['Tables']
    | { schema: keyof DatabaseWithoutInternals },
  TableName extends DefaultSchemaTableNameOrOptions extends {
    schema: keyof DatabaseWithoutInternals;
  }
    ? keyof DatabaseWithoutInternals[DefaultSchemaTableNameOrOptions['schema']]['Tables']
    : never = never,
> = DefaultSchemaTableNameOrOptions extends { schema: keyof DatabaseWithoutInternals }
  ? DatabaseWithoutInternals[DefaultSchemaTableNameOrOptions['schema']]['Tables'][TableName] extends {
      Update: infer U;
    }
    ? U
    : never
  : DefaultSchemaTableNameOrOptions extends keyof DefaultSchema['Tables']
    ? DefaultSchema['Tables'][DefaultSchemaTableNameOrOptions] extends {
        Update: infer U;
      }
      ? U
      : never
    : never;

export type Enums<
  DefaultSchemaEnumNameOrOptions extends
    | keyof DefaultSchema['Enums']
    | { schema: keyof DatabaseWithoutInternals },
  EnumName extends DefaultSchemaEnumNameOrOptions extends {
    schema: keyof DatabaseWithoutInternals;
  }
    ? keyof DatabaseWithoutInternals[DefaultSchemaEnumNameOrOptions['schema']]['Enums']
    : never = never,
> = DefaultSchemaEnumNameOrOptions extends { schema: keyof DatabaseWithoutInternals }
  ? DatabaseWithoutInternals[DefaultSchemaEnumNameOrOptions['schema']]['Enums'][EnumName]
  : DefaultSchemaEnumNameOrOptions extends keyof DefaultSchema['Enums']
    ? DefaultSchema['Enums'][DefaultSchemaEnumNameOrOptions]
    : never;

export type CompositeTypes<
  PublicCompositeTypeNameOrOptions extends
    | keyof DefaultSchema['CompositeTypes']
    | { schema: keyof DatabaseWithoutInternals },
  CompositeTypeName extends PublicCompositeTypeNameOrOptions extends {
    schema: keyof DatabaseWithoutInternals;
  }
    ? keyof DatabaseWithoutInternals[PublicCompositeTypeNameOrOptions['schema']]['CompositeTypes']
    : never = never,
> = PublicCompositeTypeNameOrOptions extends { schema: keyof DatabaseWithoutInternals }
  ? DatabaseWithoutInternals[PublicCompositeTypeNameOrOptions['schema']]['CompositeTypes'][CompositeTypeName]
  : PublicCompositeTypeNameOrOptions extends keyof DefaultSchema['CompositeTypes']
    ? DefaultSchema['CompositeTypes'][PublicCompositeTypeNameOrOptions]
    : never;

export const Constants = {
  public: {
    Enums: {},
  },
} as const;
